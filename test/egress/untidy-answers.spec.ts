import fc from 'fast-check';
import { crowdOf } from '../support/crowd.js';
import { answered } from './answered.js';
import { PATIENT, ScriptedServer } from './scripted-server.js';
import { NO_ANSWERS, UNTIDY_ANSWERS, type UntidyAnswer } from './untidy-answers.js';

/** What is short enough to be cut everywhere. What follows a complete answer may come too late to be told of. */
const SHORT = Object.entries(UNTIDY_ANSWERS).filter(
  ([name, { answer }]) => answer.length < 200 && name !== 'more body than its length',
);

describe('an answer in an untidy frame', () => {
  let server: ScriptedServer;

  beforeAll(async () => {
    server = await ScriptedServer.start();
  });
  afterAll(() => server.stop());

  /** What becomes of an answer that is sent in these pieces. */
  async function answerTo(pieces: readonly string[], ends = false) {
    const before = server.requests;
    const { status, body, oddities } = await server.post(pieces, ends);
    return { status, body: body.toString('latin1'), note: oddities.join('; '), requests: server.requests - before };
  }

  const meaningOf = ({ status, body, note }: UntidyAnswer) => ({
    status,
    body,
    note: note === null ? '' : expect.stringContaining(note),
  });

  it.each(Object.entries(UNTIDY_ANSWERS))('is the answer, once: %s', async (_, untidy) => {
    const whole = await answerTo([untidy.answer], untidy.ends);
    expect(whole).toEqual({ ...meaningOf(untidy), requests: 1 });
    const after = await answerTo(['HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi']);
    expect(after).toEqual({ status: 201, body: 'hi', note: '', requests: 1 });
  });

  it('is the same wherever it is cut', async () => {
    const cut = SHORT.flatMap(([name, untidy]) =>
      Array.from({ length: untidy.answer.length - 1 }, (__, at) => ({ name, untidy, at: at + 1 })),
    );
    await crowdOf(cut, async ({ name, untidy, at }) => {
      const { answer, ends } = untidy;
      const { requests: _, ...found } = await answerTo([answer.slice(0, at), answer.slice(at)], ends);
      expect({ name, at, ...found }).toEqual({ name, at, ...meaningOf(untidy) });
    });
  });

  it('is the same byte by byte', async () => {
    await crowdOf(SHORT, async ([name, untidy]) => {
      const { requests: _, ...found } = await answerTo(untidy.answer.split(''), untidy.ends);
      expect({ name, ...found }).toEqual({ name, ...meaningOf(untidy) });
    });
  });

  it.each([
    ['a length and chunks', 'bad_answer'],
    ['two lengths', 'bad_answer'],
    ['headers that break off', 'reset'],
  ])('is no file where it is not certain what that is: %s', async (name, kind) => {
    const { answer = '', ends = false } = UNTIDY_ANSWERS[name] ?? {};
    const url = server.script(name, [answer], ends);
    const download = server.client.download({ url, timeoutMs: 60_000, maxBytes: 1024 });
    await expect(download).rejects.toMatchObject({ name: 'EgressError', kind });
  });

  it('is a file where that is certain', async () => {
    for (const name of ['lines that end with LF', 'a folded header', 'chunks twice']) {
      const url = server.script(name, [UNTIDY_ANSWERS[name]?.answer ?? '']);
      const { body } = await server.client.download({ url, timeoutMs: 60_000, maxBytes: 1024 });
      expect(Buffer.concat(await body.toArray()).toString()).toBe('ok');
    }
  });

  it('keeps what it means among too many headers', async () => {
    const many = `X: ${'x'.repeat(900)}\r\n`.repeat(20);
    const url = server.script('many', [`HTTP/1.1 429 Slow\r\n${many}Retry-After: 7\r\nContent-Length: 2\r\n\r\nno`]);
    const { status, headers, oddities } = await server.client.request({ ...PATIENT, url });
    expect([status, headers['retry-after'], oddities]).toEqual([429, '7', ['too many headers']]);
  });

  it.each(NO_ANSWERS)('is none without a status line: %j', async (text) => {
    const none = { name: 'EgressError', kind: 'bad_answer', message: 'did not send an HTTP response' };
    await expect(answerTo([text])).rejects.toMatchObject(none);
    await expect(answerTo(text.split(''))).rejects.toMatchObject(none);
  });

  it('is none without the end of its first line', async () => {
    await expect(answerTo(['HTTP/1.1 200 OK'], true)).rejects.toMatchObject({ kind: 'reset' });
  });

  it('counts when its time is over, if its first line came', async () => {
    for (const [head, status] of [
      ['HTTP/1.1 410 Gone\r\n', 410],
      ['HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nX', 429],
    ] as const) {
      const url = server.script('late', [head]);
      const { headers, ...found } = await answered(() => server.client.request({ ...PATIENT, url, timeoutMs: 1000 }));
      expect(found).toMatchObject({ status, oddities: ['headers that did not end'] });
      expect(headers['retry-after']).toBe(status === 429 ? '7' : undefined);
    }
  });

  it('has the status that its first line says, with any oddities together', async () => {
    const status = fc
      .oneof(fc.constantFrom(200, 201, 204, 304, 410, 422, 429, 500, 600, 999), fc.nat({ max: 799 }))
      .map((code) => (code < 200 ? code + 200 : code));
    const ending = fc.constantFrom('\r\n', '\n');
    const odd = fc.constantFrom(
      'X: a',
      'X: a\r\n b',
      'X: \u0002',
      'X Y: a',
      ': a',
      'nothing',
      'Retry-After: 7',
      'Content-Length: 2',
      'Content-Length: 3',
      'Content-Length: x',
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip',
      'Connection: keep-alive',
      'Upgrade: x',
      `X: ${'y'.repeat(9000)}`,
    );
    const version = fc.constantFrom('1.1', '1.0', '2.0');
    const reason = fc.constantFrom('', ' ', ' OK', ' O\u0001K', ' a  b');
    const body = fc.constantFrom('', 'ok', 'okay', '2\r\nok\r\n0\r\n\r\n');
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(version, status, reason, fc.array(odd, { maxLength: 5 }), ending, body),
        async ([one, code, two, lines, end, rest]) => {
          const head = [`HTTP/${one} ${code}${two}`, ...lines, ''].map((line) => `${line}${end}`).join('');
          const found = await answerTo([head + rest], true);
          expect([found.status, found.requests]).toEqual([code, 1]);
          // As much as its length says, or the content of its chunk.
          if (found.body !== 'ok') expect(rest.slice(0, found.body.length)).toBe(found.body);
        },
      ),
      { numRuns: 300 },
    );
  });
});
