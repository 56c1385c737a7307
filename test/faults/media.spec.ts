import { readFileSync } from 'node:fs';
import { newRecordId } from '../../src/values/record-id.js';
import { MediaNetwork, png } from '../media/media-network.js';
import { until } from '../support/until.js';
import type { TestAccount } from '../support/world.js';
import { FaultStack } from './fault-stack.js';

/** Enough that buffering them, or a queue of them in memory, would be seen. */
const PHOTOS = 10_000;
const PHOTO_BYTES = 50_000;
const MAX_RSS_MB = 400;

describe('fetching files of inbound messages', () => {
  let stack: FaultStack;
  let network: MediaNetwork;
  let account: TestAccount;
  let session: Awaited<ReturnType<FaultStack['foreignSession']>>;
  let env: Record<string, string>;

  beforeAll(async () => {
    network = await MediaNetwork.start();
    stack = await FaultStack.start();
    env = { PARLEY_ROLES: 'worker', NETWORK_BASE_URL: network.url };
    account = await stack.bareAccount({ baseUrl: network.url });
    network.knows(account.phone.phoneNumberId);
    session = await stack.foreignSession();
  });
  afterAll(async () => {
    await stack?.stop();
    await network?.stop();
  });

  const expectFiles = async (mediaId: string, count: number): Promise<void> => {
    const ids = Array.from({ length: count }, newRecordId);
    await session.query(
      `INSERT INTO media_files (account_id, message_id, business_phone_id, network_media_id)
       SELECT $1, id, $2, $3 FROM unnest($4::uuid[]) AS m (id)`,
      [account.accountId, account.phone.id, mediaId, ids],
    );
  };
  const inState = async (status: string): Promise<number> => {
    const sql = 'SELECT count(*)::int AS count FROM media_files WHERE status = $1';
    const [row] = await session.query<{ count: number }>(sql, [status]);
    return row?.count ?? 0;
  };

  it('survives a worker that is killed while it fetches: another one fetches the file, and nothing is left of the first try', async () => {
    const bytes = png(100_000);
    let tries = 0;
    const id = network.hold({
      bytes,
      mimeType: 'image/png',
      serve: (response) => {
        tries += 1;
        response.writeHead(200, { 'content-length': bytes.length });
        if (tries === 1) response.write(bytes.subarray(0, 50_000));
        else response.end(bytes);
      },
    });
    await expectFiles(id, 1);
    const first = await stack.service(env);
    await until('the download has begun', () => tries >= 1);
    await first.process.kill();
    const second = await stack.service(env);
    await until('the other worker has stored it', async () => (await inState('stored')) >= 1);
    await second.process.kill();
    expect(tries).toBe(2);
  });

  it(`takes a bounded part of memory for ${PHOTOS} photos`, async () => {
    await expectFiles(network.hold({ bytes: png(PHOTO_BYTES), mimeType: 'image/png' }), PHOTOS);
    const { process } = await stack.service(env);
    await until('all are stored', async () => (await inState('stored')) > PHOTOS, 900_000);
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024;
    console.log(`${PHOTOS} photos: at most ${Math.round(peak)} MB`);
    expect(peak).toBeLessThan(MAX_RSS_MB);
    await process.kill();
  }, 960_000);
});
