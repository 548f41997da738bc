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

const moves = {
  ArrowRight: () => at + 1, ArrowDown: () => at + 1, PageDown: () => at + 1, " ": () => at + 1,
  ArrowLeft: () => at - 1, ArrowUp: () => at - 1, PageUp: () => at - 1,
  Home: () => 0, End: () => slides.length - 1,
};

document.documentElement.classList.add("moves");
addEventListener("hashchange", fromAddress);
addEventListener("keydown", (event) => {
  const move = moves[event.key];
  if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  show(event.key === " " && event.shiftKey ? at - 1 : move());
});
fromAddress();
