// Bundles the console (console/) into a build: scripts and styles whose names have a hash of their content, so that
// browsers keep them for good; the page that loads them; a gzip copy of each text.
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './install.mjs';

/** Where the service serves the files, and the folder of a build that holds them. */
const ASSETS = '/console/assets/';
const COMPRESSED = /\.(?:js|css|svg|html)$/;

/** Options of esbuild for the console, whose files go below `directory`. */
export const consoleOptions = (directory) => ({
  absWorkingDir: root,
  entryPoints: { main: 'console/main.tsx', style: 'console/styles/main.css', mark: 'console/assets/mark.svg' },
  outdir: path.join(directory, 'console/assets'),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  target: ['chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.woff2': 'file', '.svg': 'copy' },
  metafile: true,
  write: false,
  logLevel: 'silent',
});

/**
 * Writes the `console/` folder of a build.
 *
 * @param directory of the build
 */
export async function bundleConsole(directory) {
  const { build, stop } = await import('esbuild');
  try {
    writeConsole(await build(consoleOptions(directory)), directory);
  } finally {
    await stop();
  }
}

/** Writes what esbuild has made with {@link consoleOptions}, the page last: it names the other files. */
export function writeConsole({ outputFiles, metafile }, directory) {
  const folder = path.join(directory, 'console');
  fs.mkdirSync(path.join(folder, 'assets'), { recursive: true });
  for (const { path: file, contents } of outputFiles) write(file, contents);
  fs.copyFileSync(path.join(root, 'console/assets/inter-licence.txt'), path.join(folder, 'inter-licence.txt'));
  write(path.join(folder, 'index.html'), Buffer.from(pageOf(metafile)));
}

function write(file, contents) {
  fs.writeFileSync(file, contents);
  if (COMPRESSED.test(file)) fs.writeFileSync(`${file}.gz`, gzipSync(contents, { level: 9 }));
}

/** console/page.html with the addresses of the files that the first load needs. */
function pageOf({ outputs }) {
  const outputOf = (source) => {
    const found = Object.keys(outputs).find((file) => {
      const { entryPoint, inputs } = outputs[file];
      return entryPoint === source || (Object.keys(inputs).length === 1 && source in inputs);
    });
    if (found === undefined) throw new Error(`the console's build has no file made of ${source}`);
    return found;
  };
  const addressOf = (output) => ASSETS + path.basename(output);
  const script = outputOf('console/main.tsx');
  const places = {
    script: addressOf(script),
    // Otherwise the browser would find them only in the script itself.
    imports: importsOf(script, outputs)
      .map((output) => `<link rel="modulepreload" href="${addressOf(output)}">`)
      .join('\n    '),
    style: addressOf(outputOf('console/styles/main.css')),
    mark: addressOf(outputOf('console/assets/mark.svg')),
    font: addressOf(outputOf('console/assets/inter.woff2')),
  };
  const page = fs.readFileSync(path.join(root, 'console/page.html'), 'utf8');
  return page.replace(/\{\{(\w+)\}\}/g, (_, name) => places[name]);
}

/** The files that a script imports at once, and those that they import. */
function importsOf(output, outputs, known = new Set()) {
  for (const { path: file, kind } of outputs[output].imports) {
    if (kind !== 'import-statement' || known.has(file)) continue;
    known.add(file);
    importsOf(file, outputs, known);
  }
  return [...known];
}
