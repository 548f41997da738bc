// The commands of the extension, and the client of the language server. Each command runs the
// compiler in a terminal, so that its reports look as on any command line and their places can be
// clicked.
const vscode = require("vscode");
const { CloseAction, ErrorAction, LanguageClient } = require("vscode-languageclient/node");

const STAGES = [
  "tokens", "parsed", "sea", "blocks", "flow", "region", "egraph", "saturated", "firm", "lowered",
  "pbqp", "selected", "allocated", "bytes", "elf",
];

/** The words of a shell, quoted where they need it. */
function quoted(words) {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`));
}

/** Saves the program of the active editor and returns the path of its file. */
async function savedProgram() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.isUntitled) {
    vscode.window.showErrorMessage("sonc: save the program to a file first.");
    return undefined;
  }
  await editor.document.save();
  return editor.document.fileName;
}

/** Runs a subcommand of the compiler with a file. */
function run(subcommand, file, further) {
  const settings = vscode.workspace.getConfiguration("sonc");
  const terminal =
    vscode.window.terminals.find((it) => it.name === "sonc") ?? vscode.window.createTerminal("sonc");
  terminal.show(true);
  const words = quoted([subcommand, file, ...further, ...settings.get("arguments")]);
  terminal.sendText([settings.get("command"), ...words].join(" "));
}

/** The arguments `--arg N …` that a person types; undefined if the question is cancelled. */
async function programArguments() {
  const text = await vscode.window.showInputBox({
    prompt: "Arguments of the program, separated by blanks",
    value: "0",
    validateInput: (value) => (/^\s*([+-]?\d+\s*)*$/.test(value) ? undefined : "Integers only."),
  });
  return text?.split(/\s+/).filter((it) => it !== "").flatMap((it) => ["--arg", it]);
}

async function runProgram() {
  const file = await savedProgram();
  const further = file && (await programArguments());
  if (further) run("run", file, further);
}

async function exploreProgram() {
  const file = await savedProgram();
  if (!file) return;
  const page = `${file}.html`;
  run("explore", file, ["-o", page]);
  const open = "Open";
  const answer = await vscode.window.showInformationMessage(`sonc writes ${page}.`, open);
  if (answer === open) vscode.env.openExternal(vscode.Uri.file(page));
}

async function showStage() {
  const file = await savedProgram();
  const stage = file && (await vscode.window.showQuickPick(STAGES, { placeHolder: "Stage" }));
  if (stage) run("ir", file, ["--stage", stage]);
}

/** The languages whose programs the server compiles. */
const LANGUAGES = ["simple", "sonc-regions", "sonc-flow"];

/** The client of `sonc lsp`. It does not start a server again that has ended. */
function languageClient() {
  const command = vscode.workspace.getConfiguration("sonc").get("command");
  const server = { command, args: ["lsp"], options: { shell: true } };
  return new LanguageClient("sonc", "sonc", server, {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
  });
}

let client;

/** Starts the server, if the settings do not forbid it. Earlier chapters' compilers have none. */
async function startServer() {
  if (!vscode.workspace.getConfiguration("sonc").get("languageServer")) return;
  client = languageClient();
  try {
    await client.start();
  } catch (error) {
    client.warn(`There is no language server: ${error}`, undefined, false);
    client = undefined;
  }
}

exports.activate = (context) => {
  const commands = { "sonc.run": runProgram, "sonc.explore": exploreProgram, "sonc.stage": showStage };
  for (const [name, command] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, command));
  }
  return startServer();
};

exports.deactivate = () => client?.stop();
