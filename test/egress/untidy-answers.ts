import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** An answer as a server sends it, in Latin-1, and what it means. */
export interface UntidyAnswer {
  readonly answer: string;
  readonly status: number;
  readonly body: string;
  /** Part of what is told of it; null for a valid answer. */
  readonly note: string | null;
  /** Whether the server then ends the connection; else it stays open. */
  readonly ends?: boolean;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const TWO = 'Content-Length: 2\r\n';
const answer = (text: string, note: string | null, status = 200, body = 'ok'): UntidyAnswer => ({
  answer: text,
  status,
  body,
  note,
});

/** Answers of proxies, small devices and hand-made servers, each as a kind of its own. */
export const UNTIDY_ANSWERS: Readonly<Record<string, UntidyAnswer>> = {
  'a valid one': answer(`${OK}${TWO}\r\nok`, null),
  'a valid one in chunks': answer(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, null),
  'a valid one of HTTP/1.0': { ...answer('HTTP/1.0 200 OK\r\n\r\nok', null), ends: true },
  'a valid one without a reason': answer(`HTTP/1.1 200 \r\n${TWO}\r\nok`, null),
  'no blank behind its status': answer(`HTTP/1.1 200\r\n${TWO}\r\nok`, null),
  'a reason in UTF-8': answer(`HTTP/1.1 200 Tr\xc3\xa8s bien\r\n${TWO}\r\nok`, null),
  'a length beside 204': answer(`HTTP/1.1 204 No Content\r\n${TWO}\r\n`, 'a body, which its status', 204, ''),
  'a body beside 204': answer(`HTTP/1.1 204 No Content\r\n${TWO}\r\nok`, 'a body, which its status', 204, ''),
  'chunks beside 204': answer(
    'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'a body, which its status',
    204,
    '',
  ),
  'blanks behind the sizes of chunks': answer(
    `${OK}Transfer-Encoding: chunked\r\n\r\n2   \r\nok\r\n0   \r\n\r\n`,
    'untidy chunk lines',
  ),
  'blanks around an extension': answer(
    `${OK}Transfer-Encoding: chunked\r\n\r\n2 ; a=b\r\nok\r\n0\r\n\r\n`,
    'untidy chunk lines',
  ),
  'chunks that end with LF': answer(`${OK}Transfer-Encoding: chunked\r\n\r\n2\nok\n0\n\n`, 'untidy chunk lines'),
  'chunks and lines that end with LF': answer(
    'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n',
    'without a carriage return; untidy chunk lines',
  ),
  'lines that end with LF': answer('HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'without a carriage return'),
  'one line that ends with LF': answer(`HTTP/1.1 200 OK\n${TWO}\r\nok`, 'without a carriage return'),
  'a blank line of LF': answer(`${OK}${TWO}\nok`, 'without a carriage return'),
  'a length and chunks': answer(
    `${OK}${TWO}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'both a length and a transfer encoding',
    200,
    '',
  ),
  'the same length twice': answer(`${OK}${TWO}${TWO}\r\nok`, 'two lengths'),
  'the same length twice in one line': answer(`${OK}Content-Length: 2, 2\r\n\r\nok`, 'two lengths'),
  'two lengths': answer(`${OK}${TWO}Content-Length: 3\r\n\r\nok`, 'two lengths', 200, ''),
  'a length that is a word': answer(`${OK}Content-Length: none\r\n\r\nok`, 'a length that is no number', 200, ''),
  'a negative length': answer(`${OK}Content-Length: -1\r\n\r\nok`, 'a length that is no number', 200, ''),
  'an empty length': answer(`${OK}Content-Length:\r\n\r\nok`, 'a length that is no number', 200, ''),
  'a length beyond all numbers': answer(
    `${OK}Content-Length: 99999999999999999999\r\n\r\nok`,
    'a length that is no number',
    200,
    '',
  ),
  'chunks twice': answer(
    `${OK}Transfer-Encoding: chunked, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'two transfer encodings',
  ),
  'an encoding beside chunks': answer(`${OK}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`, null),
  'an unknown encoding': {
    ...answer(`${OK}Transfer-Encoding: gzip\r\n\r\nok`, 'an unknown transfer encoding'),
    ends: true,
  },
  'an encoding that is none': {
    ...answer(`${OK}Transfer-Encoding: identity\r\n\r\nok`, 'a transfer encoding that is none'),
    ends: true,
  },
  'an encoding that is none beside a length': answer(
    `${OK}Transfer-Encoding: identity\r\n${TWO}\r\nok`,
    'a transfer encoding that is none',
  ),
  'chunks and nothing': answer(
    `${OK}Transfer-Encoding: chunked,\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'a transfer encoding that is none',
  ),
  'a length beside 304': answer('HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n', null, 304, ''),
  'a long header that fits': answer(`${OK}X: ${'x'.repeat(16_000)}\r\n${TWO}\r\nok`, null),
  'a length with a blank that is none': answer(`${OK}Content-Length: 2\xa0\r\n\r\nok`, 'no number', 200, ''),
  'a blank line behind its body': answer(`${OK}${TWO}\r\nok\r\n`, null),
  'a thousand headers': answer(`${OK}${'X:\n'.repeat(2000)}${TWO}\r\nok`, 'too many headers', 200, ''),
  'a folded header': answer(`${OK}X: a\r\n b\r\n${TWO}\r\nok`, 'folded header lines'),
  'a header folded by a tab': answer(`${OK}X: a\r\n\tb\r\n${TWO}\r\nok`, 'folded header lines'),
  'a fold in front of its headers': answer(`${OK} X: a\r\n${TWO}\r\nok`, 'folded header lines'),
  'an endless header': answer(`${OK}X: ${'x'.repeat(17_000)}\r\n${TWO}\r\nok`, 'a header of 17000 characters'),
  'many headers': answer(`${OK}${`X: ${'x'.repeat(90)}\r\n`.repeat(400)}${TWO}\r\nok`, 'too many headers', 200, 'ok'),
  'a control character in a header': answer(`${OK}X: a\u0001b\r\n${TWO}\r\nok`, 'control characters in its headers'),
  'NUL in a header': answer(`${OK}X: a\u0000b\r\n${TWO}\r\nok`, 'control characters in its headers'),
  'a carriage return in a header': answer(`${OK}X: a\rb\r\n${TWO}\r\nok`, 'control characters in its headers'),
  'a control character in its reason': answer(`HTTP/1.1 200 O\u0007K\r\n${TWO}\r\nok`, 'in its first line'),
  'a blank in a name': answer(`${OK}X Y: a\r\n${TWO}\r\nok`, 'header lines without a valid name'),
  'a blank behind a name': answer(`${OK}Content-Length : 2\r\n\r\nok`, 'header lines without a valid name'),
  'a line without a colon': answer(`${OK}Hello\r\n${TWO}\r\nok`, 'header lines without a valid name'),
  'a line without a name': answer(`${OK}: a\r\n${TWO}\r\nok`, 'header lines without a valid name'),
  'a name beyond ASCII': answer(`${OK}Gr\xfc\xdfe: a\r\n${TWO}\r\nok`, 'header lines without a valid name'),
  'HTTP/2.0': answer(`HTTP/2.0 200 OK\r\n${TWO}\r\nok`, 'the version HTTP/2.0'),
  'HTTP/0.9': answer(`HTTP/0.9 200 OK\r\n${TWO}\r\nok`, 'the version HTTP/0.9'),
  'a status beyond 599': answer(`HTTP/1.1 999 Odd\r\n${TWO}\r\nok`, null, 999),
  'a change of protocols': answer(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    'a change of protocols',
    101,
    '',
  ),
  'an interim answer with lines of LF': answer(`HTTP/1.1 100 Continue\n\n${OK}${TWO}\r\nok`, null),
  'blank lines in front': answer(`\r\n\r\n${OK}${TWO}\r\nok`, null),
  'more body than its length': answer(`${OK}${TWO}\r\nok, here you are`, 'more body than its length says'),
  'a shorter body': { ...answer(`${OK}Content-Length: 9\r\n\r\nok`, 'a body that broke off'), ends: true },
  'a chunk that is none': answer(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nz\r\n`, 'could not be read'),
  'headers that break off': { ...answer(`${OK}X: a\r\nContent-`, 'headers that did not end', 200, ''), ends: true },
  'nothing but its status': { ...answer(OK, 'headers that did not end', 200, ''), ends: true },
};

/** Answers that are none. */
export const NO_ANSWERS: readonly string[] = [
  'SSH-2.0-OpenSSH_9.6\r\n',
  '+OK\r\n',
  'ICY 200 OK\r\n\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.10 200 OK\r\n\r\n',
  'http/1.1 200 OK\r\n\r\n',
  'HTTP/1.1  200 OK\r\n\r\n',
  'HTTP/1.1 20 OK\r\n\r\n',
  'HTTP/1.1 2000 OK\r\n\r\n',
  'HTTP/1.1 099 Odd\r\n\r\n',
  'HTTP/1.1 200OK\r\n\r\n',
  'HTTP/1.1200 OK\r\n\r\n',
  'HTTP 200 OK\r\n\r\n',
  '{"status": 200}',
];

/** A server on a raw socket that answers each request with what its path says. */
export class UntidyServer {
  /** Requests that arrived. */
  requests = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    answerTo: (path: string, socket: Socket) => Promise<void> | void,
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.setNoDelay(true);
      // What follows an answer, such as a blank line, is written before the next one.
      let written = Promise.resolve();
      socket.on('error', () => undefined);
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('data', (data) => {
        const path = /^(?:POST|GET|HEAD) (\S*)/.exec(data.toString('latin1'))?.[1];
        if (path === undefined) return;
        this.requests += 1;
        written = written.then(() => answerTo(decodeURIComponent(path.slice(1)), socket));
      });
    });
  }

  static async listen(answerTo: (path: string, socket: Socket) => Promise<void> | void): Promise<UntidyServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new UntidyServer(server, answerTo);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${encodeURIComponent(path)}`;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** Writes an answer in pieces, each of which is on its way before the next. */
export async function writeInPieces(socket: Socket, pieces: readonly string[], ends = false): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => socket.write(Buffer.from(piece, 'latin1'), () => resolve()));
    // The other side, in the same process, reads what has arrived.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (ends) socket.end();
}
