import { ImportSlots } from './import-slots.js';

const TIMEOUT_MS = 60_000;
const here = new AbortController().signal;

/** Slots whose uploads run until a test finishes them. */
function slotsOf(size: number, patienceMs = TIMEOUT_MS) {
  const slots = new ImportSlots(size, patienceMs);
  const started: string[] = [];
  const finishing = new Map<string, (error?: Error) => void>();
  const upload = (name: string, gone = here): Promise<string> =>
    // The first letter names the account.
    slots.run(name.slice(0, 1), gone, async () => {
      started.push(name);
      await new Promise<void>((resolve, reject) => {
        finishing.set(name, (error) => (error ? reject(error) : resolve()));
      });
      return name;
    });
  /** Finishes an upload and gives the next one time to start. */
  const finish = async (name: string, error?: Error): Promise<void> => {
    finishing.get(name)?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { upload, finish, started };
}

describe('import slots', () => {
  it('run uploads of as many accounts at once as there are slots', async () => {
    const { upload, finish, started } = slotsOf(2);
    const all = ['a1', 'b1', 'c1'].map((name) => upload(name));
    await Promise.resolve();
    expect(started).toEqual(['a1', 'b1']);
    await finish('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
    await finish('a1');
    await finish('c1');
    expect(await Promise.all(all)).toEqual(['a1', 'b1', 'c1']);
  });

  it('run one upload per account at a time, whether or not it fails', async () => {
    const { upload, finish, started } = slotsOf(2);
    const [first, second] = [upload('a1'), upload('a2')];
    await Promise.resolve();
    expect(started).toEqual(['a1']);
    const failed = expect(first).rejects.toThrow('broken');
    await finish('a1', new Error('broken'));
    await failed;
    expect(started).toEqual(['a1', 'a2']);
    await finish('a2');
    await expect(second).resolves.toBe('a2');
  });

  it('queue an account behind all others after its turn, however many uploads wait', async () => {
    const { upload, finish, started } = slotsOf(2);
    const names = ['a1', 'b1', 'a2', 'a3', 'b2', 'b3', 'c1', 'd1'];
    const all = names.map((name) => upload(name));
    await Promise.resolve();
    for (let done = 0; done < names.length; done += 1) await finish(started[done] ?? '');
    expect(started).toEqual(['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'a3', 'b3']);
    expect(await Promise.all(all)).toEqual(names);
  });

  it('reject an upload that waits too long, and move on', async () => {
    const { upload, finish, started } = slotsOf(1, 20);
    const first = upload('a1');
    await expect(upload('b1')).rejects.toMatchObject({ code: 'unavailable', headers: { 'retry-after': '10' } });
    const next = upload('c1');
    await finish('a1');
    await finish('c1');
    expect(await Promise.all([first, next])).toEqual(['a1', 'c1']);
    expect(started).toEqual(['a1', 'c1']);
  });

  it('drop an upload whose client disconnects, even before it was queued', async () => {
    const { upload, finish, started } = slotsOf(1);
    const first = upload('a1');
    const leaving = new AbortController();
    const left = [upload('b1', leaving.signal), upload('c1', AbortSignal.abort())];
    const last = upload('d1');
    leaving.abort();
    for (const upload of left) await expect(upload).rejects.toMatchObject({ code: 'unavailable' });
    await finish('a1');
    await finish('d1');
    expect(await Promise.all([first, last])).toEqual(['a1', 'd1']);
    expect(started).toEqual(['a1', 'd1']);
  });
});
