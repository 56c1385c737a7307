// `npm run console:dev`: serves the console of this checkout in front of a running sandbox, and bundles it anew on each
// change. Files of the console come from here, everything else from the sandbox (PARLEY_URL, by default that of
// `npm start`); the page has the headers that the sandbox sends with its own.
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { consoleOptions, writeConsole } from './console.mjs';
import { ensureInstalled } from './install.mjs';

const PORT = Number(process.env.PORT ?? 3001);
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2' };
const sandbox = new URL(process.env.PARLEY_URL ?? 'http://127.0.0.1:3000');

await ensureInstalled();
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-console-'));
process.once('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0));

const { context } = await import('esbuild');
const written = {
  name: 'written',
  setup({ onEnd }) {
    onEnd((result) => {
      if (result.errors.length > 0) return;
      writeConsole(result, directory);
      console.log(`${new Date().toLocaleTimeString()} The console is built.`);
    });
  },
};
const options = { ...consoleOptions(directory), logLevel: 'warning', plugins: [written] };
await (await context(options)).watch();
http.createServer(answer).listen(PORT, '127.0.0.1', () => {
  console.log(`The console is at http://127.0.0.1:${PORT}/console/, in front of ${sandbox.origin}`);
});

function answer(request, response) {
  const { pathname } = new URL(request.url, sandbox);
  const file = path.join(directory, 'console/assets', path.basename(pathname));
  if (pathname.startsWith('/console/assets/') && fs.existsSync(file)) {
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)], 'cache-control': 'no-store' });
    fs.createReadStream(file).pipe(response);
    return;
  }
  const isPage = /^\/console(?:\/|$)/.test(pathname);
  const headers = { ...request.headers, host: sandbox.host, ...(isPage && { 'accept-encoding': 'identity' }) };
  const forwarded = http.request(new URL(request.url, sandbox), { method: request.method, headers }, (from) => {
    const { 'content-length': length, ...rest } = from.headers;
    response.writeHead(from.statusCode, isPage ? rest : from.headers);
    if (!isPage) return from.pipe(response);
    from.resume();
    fs.createReadStream(path.join(directory, 'console/index.html')).pipe(response);
  });
  forwarded.on('error', (error) => response.writeHead(502).end(error.message));
  request.pipe(forwarded);
}
