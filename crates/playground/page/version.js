// A version of a program: its text and options, a compiler in a worker, and the explorer in a
// frame.

const FIRST = "int sum = 0;\nint i = 1;\nwhile (i <= arg) {\n    sum = sum + i * i + 0;\n" +
  "    i = i + 1;\n}\nreturn sum;\n";

// After so many milliseconds without an answer, Stop ends the worker.
const PATIENCE = 1500;

// The steps of a program take longer than its stages: they are made when nobody has typed for so
// many milliseconds.
const QUIET = 400;

const EMPTY = {
  source: FIRST, language: "smp", arguments: "10", without: [], withoutRules: [], options: {},
  address: "",
};

// A state; a link may lack values, or have wrong ones.
export function stateOf(values) {
  const isAlike = (one, other) =>
    typeof one === typeof other && Array.isArray(one) === Array.isArray(other);
  const state = structuredClone(EMPTY);
  for (const name of Object.keys(EMPTY)) {
    if (values && values[name] && isAlike(values[name], EMPTY[name])) state[name] = values[name];
    else if (values && values[name] === "") state[name] = "";
  }
  return state;
}

export class Version {
  // `page` is told of everything that happens: `compiled`, `traced`, `ran`,
  // `selected`, `shown`, `failed`.
  constructor(parent, number, page) {
    this.page = page;
    this.state = stateOf({});
    this.calls = new Map();
    this.count = 0;
    this.catalogue = null;
    this.answer = null;
    this.behaviour = null;
    this.isBusy = false;
    this.isDirty = false;
    this.isLoading = false;
    this.element = document.createElement("div");
    this.element.className = "version";
    this.title = document.createElement("h2");
    this.title.textContent = `Version ${number + 1}`;
    this.frame = document.createElement("iframe");
    this.frame.title = `Stages of version ${number + 1}`;
    this.element.append(this.title, this.frame);
    parent.append(this.element);
    addEventListener("message", (event) => {
      if (event.origin === location.origin && event.source === this.frame.contentWindow) {
        this.receive(event.data);
      }
    });
  }

  // Loads a compiler; the page of the explorer comes with it.
  async load(address) {
    this.address = address;
    this.end();
    this.isLoading = true;
    this.worker = new Worker("worker.js");
    this.worker.onmessage = ({ data }) => {
      const call = this.calls.get(data.id);
      if (!call) return;
      if (!call.isRun || data.failure || data.ended) this.calls.delete(data.id);
      call.take(data);
    };
    const { worker } = this;
    const { catalogue, explorer, failure } = await this.call("load", { address });
    if (worker !== this.worker) return undefined;
    this.isLoading = false;
    if (failure) return this.page.failed(this, failure);
    this.catalogue = catalogue;
    if (this.explorer !== explorer) {
      this.explorer = explorer;
      const ready = new Promise((resolve) => { this.ready = resolve; });
      this.frame.srcdoc = explorer;
      await ready;
    }
    return catalogue;
  }

  end() {
    clearTimeout(this.tracing);
    if (this.worker) this.worker.terminate();
    for (const call of this.calls.values()) call.take({ failure: "stopped", ended: true });
    this.calls.clear();
    this.isBusy = false;
  }

  // The answer of the worker to a call.
  call(name, values) {
    const id = ++this.count;
    const answered = new Promise((take) => this.calls.set(id, { take }));
    this.worker.postMessage({ id, call: name, ...values });
    return answered;
  }

  // A version that was removed has no window: an answer for it may still come.
  tell(message) {
    this.frame.contentWindow?.postMessage(message, location.origin);
  }

  receive(message) {
    if (message.ready) this.ready();
    if ("wanted" in message) {
      this.call("drawing", { number: message.wanted })
        .then(({ text, reason, failure }) =>
          this.tell({ drawing: message.wanted, text, reason: reason || failure }));
    }
    if ("address" in message) {
      this.state.address = message.address;
      this.page.selected(this, message.origin);
    }
    if (message.shown) this.page.shown(this);
    if (message.drawn) this.page.drawn(this);
  }

  request() {
    const { source, language, without, withoutRules, options } = this.state;
    return { source, language, without, withoutRules, ...options, trace: this.page.showsSteps() };
  }

  // Compiles the program as it is now; changes during that are compiled together afterwards.
  async compile() {
    this.isDirty = true;
    if (this.isBusy || this.isLoading || !this.catalogue) return;
    this.isBusy = true;
    clearTimeout(this.tracing);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.isBusy && this.page.ran(this), QUIET);
    const { worker } = this;
    let request;
    while (this.isDirty) {
      this.isDirty = false;
      request = this.request();
      const compiled = await this.call("compile", { request });
      if (worker !== this.worker) return;
      if (compiled.failure) {
        this.isBusy = false;
        this.fail(compiled.failure);
        return;
      }
      this.isBusy = this.isDirty;
      this.show(compiled);
    }
    if (!request.trace && this.answer.report === "") {
      this.tracing = setTimeout(() => this.trace(request), QUIET);
    }
  }

  // Adds the steps to the stages that are shown.
  async trace(request) {
    const { answer } = this;
    const { steps } = await this.call("steps", { request });
    if (!steps || this.answer !== answer) return;
    [this.steps, this.texts] = [steps, null];
    this.tell({ steps });
    this.page.traced();
  }

  // The stages are sent to the explorer as they came: only it reads them.
  show({ answer, stages }) {
    this.answer = answer;
    [this.stages, this.steps, this.texts] = [stages, null, null];
    const isWhole = answer.report === "";
    this.element.classList.toggle("stale", !isWhole);
    if (isWhole) {
      this.tell({ show: { source: this.state.source, result: "", stages,
        address: this.state.address } });
    }
    this.page.compiled(this);
    if (isWhole) this.run();
    else {
      this.behaviour = null;
      this.page.ran(this);
    }
  }

  // The texts of the stages by their names, with the rules of their steps.
  listings() {
    if (this.texts) return this.texts;
    const later = JSON.parse(this.steps || "[]");
    this.texts = new Map(JSON.parse(this.stages).map(({ name, listing, steps }, index) =>
      [name, [listing, ...(later[index] || steps).list.map((it) => it.rule)].join("\n")]));
    return this.texts;
  }

  // Runs the program with the arguments of the page; a run before it ends.
  run() {
    if (!this.answer || this.answer.report !== "") return;
    const words = this.state.arguments.split(/[\s,]+/).filter((it) => it !== "");
    this.calls.delete(this.lastRun);
    const id = ++this.count;
    this.lastRun = id;
    this.calls.set(id, { isRun: true, take: (behaviour) => {
      this.behaviour = behaviour.failure ? { error: behaviour.failure, ended: true, output: "",
        errors: "", functions: [], instructions: 0 } : behaviour;
      this.page.ran(this);
    } });
    this.worker.postMessage({ id, call: "run", words });
  }

  // Stops the run; a worker that compiles or does not answer is replaced.
  async stop() {
    if (this.isBusy) return this.restart();
    const patience = new Promise((resolve) => setTimeout(() => resolve(null), PATIENCE));
    const answer = await Promise.race([this.call("stop", {}), patience]);
    if (this.behaviour && !this.behaviour.ended) {
      this.behaviour = { ...this.behaviour, error: "stopped", ended: true };
      this.page.ran(this);
    }
    return answer === null ? this.restart() : undefined;
  }

  // Another worker, which compiles the next change.
  async restart() {
    this.isDirty = false;
    if (!await this.load(this.address)) return;
    this.fail("The compiler was stopped.");
    if (this.isDirty) this.compile();
  }

  fail(reason) {
    this.behaviour = null;
    this.element.classList.add("stale");
    this.page.failed(this, reason);
    this.page.ran(this);
  }

  remove() {
    this.end();
    this.element.remove();
  }
}
