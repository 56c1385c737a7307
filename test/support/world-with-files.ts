import { LoopbackServer } from './loopback-server.js';
import { typeHeader } from './media-samples.js';
import { World } from './world.js';

/**
 * Starts a World and a server with the files that messages link to; `stop` ends both. `files` are served by path, with the
 * type of their extension, or as PDF where the path ends with a slash. A function answers every request itself.
 */
export async function startWithFiles(
  files: Readonly<Record<string, Buffer>> | Parameters<typeof LoopbackServer.start>[0],
): Promise<{ world: World; server: LoopbackServer; stop: () => Promise<void> }> {
  const world = await World.start();
  const server = await LoopbackServer.start((request, response) => {
    if (typeof files === 'function') return files(request, response);
    const { url = '' } = request;
    const file = files[url];
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, typeHeader(url.endsWith('/') ? '.pdf' : url)).end(file);
  });
  const stop = () => world.stop().then(() => server.stop());
  return { world, server, stop };
}
