import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { LoopbackServer } from '../support/loopback-server.js';

/** A text as a server sends it in UTF-8, a character for each byte. */
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('a redirect to a place with bytes above 127', () => {
  let client: EgressClient;
  let server: LoopbackServer;
  let location: string;
  let lineEnd: string;

  beforeAll(async () => {
    client = new EgressClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));
    server = await LoopbackServer.start((request, response) => {
      if (request.url !== '/from') return void response.end('ok');
      const lines = ['HTTP/1.1 302 Found', `Location: ${location}`, 'Content-Length: 0', 'Connection: close', '', ''];
      request.socket.end(Buffer.from(lines.join(lineEnd), 'latin1'));
    });
  });
  afterAll(async () => {
    await client.onApplicationShutdown();
    await server.stop();
  });

  async function follow(to: string, end = '\r\n'): Promise<string[]> {
    [location, lineEnd] = [to, end];
    server.requests.length = 0;
    await client.request({ url: server.url('/from'), redirects: 1, timeoutMs: 60_000, maxResponseBytes: 1024 });
    return server.requests;
  }

  it.each([
    [utf8('/März.pdf'), '/M%C3%A4rz.pdf'],
    ['/M\u00e4rz.pdf', '/M%E4rz.pdf'],
    [utf8('/März.pdf?für=größe'), '/M%C3%A4rz.pdf?f%C3%BCr=gr%C3%B6%C3%9Fe'],
    [utf8('/a%20b/日本'), '/a%20b/%E6%97%A5%E6%9C%AC'],
    ['/\u0080\u00ff', '/%80%FF'],
    ['/plain%C3%A4', '/plain%C3%A4'],
  ])('asks for each byte as it is: %j', async (to, path) => {
    for (const end of ['\r\n', '\n']) {
      for (const place of [to, to.slice(1), server.url(to)]) {
        expect(await follow(place, end)).toEqual(['GET /from', `GET ${path}`]);
      }
    }
  });

  it.each([
    ['/a b.pdf', '/a%20b.pdf'],
    ['/a\tb.pdf', '/ab.pdf'],
    ['\\a\\b.pdf', '/a/b.pdf'],
    ['/"a".pdf', '/%22a%22.pdf'],
  ])('reads it as browsers do: %j', async (to, path) => {
    for (const place of [to, server.url(to)]) expect(await follow(place)).toEqual(['GET /from', `GET ${path}`]);
  });

  it.each(['\r\n', '\n'])('follows the first of several places', async (end) => {
    expect(await follow(`/first${end}Location: /second`, end)).toEqual(['GET /from', 'GET /first']);
  });

  it('goes to the host that the bytes name, if the guard lets it', async () => {
    expect(await follow(utf8(`http://１２７.0.0.1:${server.port}/to`))).toEqual(['GET /from', 'GET /to']);
    await expect(follow(utf8('http://１０.0.0.1/'))).rejects.toMatchObject({
      kind: 'forbidden_address',
      message: 'redirects to a URL that leads to an address that is not public',
    });
  });

  it('is refused when the bytes of its host are no characters', async () => {
    await expect(follow('http://m\u00fcnchen.example/')).rejects.toMatchObject({ kind: 'bad_url' });
  });
});
