"use strict";
// The arrows, the space bar, Home and End move; the number in the address is that of the slide.
const slides = [...document.querySelectorAll(".slide")];
let at = 0;

function show(next) {
  at = Math.max(0, Math.min(slides.length - 1, next));
  slides.forEach((slide, index) => slide.classList.toggle("shown", index === at));
  if (location.hash !== `#${at + 1}`) history.replaceState(null, "", `#${at + 1}`);
}

function fromAddress() {
  show((parseInt(location.hash.slice(1), 10) || 1) - 1);
}

// Whether something does not fit: the slide itself, or what is wider or higher than its place.
function overflows(slide) {
  const parts = [slide, ...slide.querySelectorAll("pre")];
  const bottom = slide.querySelector("footer").getBoundingClientRect().top;
  const exceeds = (part) =>
    part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
  return parts.some(exceeds) || [...slide.querySelectorAll("ul, table, figcaption")].some(
    (part) => part.getBoundingClientRect().bottom > bottom);
}

// Makes the text of a full slide smaller.
function fit(slide) {
  for (let scale = 0.95; scale > 0.4 && overflows(slide); scale -= 0.05) {
    slide.style.setProperty("--scale", scale.toFixed(2));
  }
}

const moves = {
  ArrowRight: () => at + 1, ArrowDown: () => at + 1, PageDown: () => at + 1, " ": () => at + 1,
  ArrowLeft: () => at - 1, ArrowUp: () => at - 1, PageUp: () => at - 1,
  Home: () => 0, End: () => slides.length - 1,
};

slides.forEach(fit);
document.documentElement.classList.add("moves");
addEventListener("hashchange", fromAddress);
addEventListener("keydown", (event) => {
  const move = moves[event.key];
  if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  show(event.key === " " && event.shiftKey ? at - 1 : move());
});
fromAddress();
