// Checks texts of TypeScript, with the types of npm packages.
'use strict';

const path = require('path');

const modules = path.resolve('build/npm/node_modules');
const ts = require(path.join(modules, 'typescript'));

const OPTIONS = {
  noEmit: true,
  strict: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  paths: {
    '@grafana/schema/*': [`${modules}/@grafana/schema/dist/types/*`],
    'kubernetes-types/*': [`${modules}/kubernetes-types/*.d.ts`],
  },
  types: [],
};

// What the compiler says of each of `texts`, in their order: an array each.
function diagnostics(texts) {
  const sources = new Map(texts.map(
      (text, i) => [path.join(__dirname, `text${i}.ts`), text]));
  const host = ts.createCompilerHost(OPTIONS);
  const {fileExists, readFile} = host;
  host.fileExists = name => sources.has(name) || fileExists(name);
  host.readFile = name => sources.get(name) ?? readFile(name);
  const {getSourceFile} = host;
  host.getSourceFile = (name, ...rest) => sources.has(name) ?
      ts.createSourceFile(name, sources.get(name), ...rest) :
      getSourceFile(name, ...rest);
  const program = ts.createProgram([...sources.keys()], OPTIONS, host);
  return [...sources.keys()].map(name => {
    const file = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(file),
            ...program.getSemanticDiagnostics(file)].map(message);
  });
}

function message(diagnostic) {
  return ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
}

module.exports = {diagnostics};
