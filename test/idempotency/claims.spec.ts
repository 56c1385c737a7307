import { DomainError } from '../../src/errors/domain-error.js';
import { type ClaimedKey, IdempotencyKeysService } from '../../src/idempotency/idempotency-keys.service.js';
import { noteRecordsOfKeys } from '../../src/idempotency/record-notes.js';
import type { StoredAnswer } from '../../src/idempotency/stored-answer.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowd } from '../support/crowd.js';
import { Hopeless, until } from '../support/until.js';
import { World } from '../support/world.js';
import { uniqueKey } from './keys.js';

const PAYLOAD = Buffer.from('payload');
const ANSWER: StoredAnswer = { status: 201, headers: { 'x-message-id': 'm' }, body: '{"a":"ü"}' };

describe('claims on an idempotency key', () => {
  let world: World;
  let keys: IdempotencyKeysService;
  let place: { accountId: string; family: string; key: string };
  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    keys = world.parley.app.get(IdempotencyKeysService);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    const { accountId } = await world.account();
    place = { accountId, family: newRecordId(), key: uniqueKey() };
  });

  /** A claim, or why there is none. Asks again when the database had no time, as a client does. */
  const outcome = (payload = PAYLOAD): Promise<ClaimedKey | DomainError> =>
    until('the key is claimed or refused', async () => {
      try {
        const found = await keys.claim(place, payload);
        if ('answer' in found) throw new Hopeless(`answered: ${found.answer.status}`);
        return found.claim;
      } catch (error) {
        if (error instanceof DomainError && error.code !== 'unavailable') return error;
        throw error;
      }
    });
  const claim = async (payload = PAYLOAD): Promise<ClaimedKey> => {
    const found = await outcome(payload);
    if (found instanceof DomainError) throw found;
    return found;
  };
  const refusal = async (payload = PAYLOAD): Promise<string> => {
    const found = await outcome(payload);
    return found instanceof DomainError ? found.code : 'none';
  };
  const moveLease = (interval: string) =>
    world.unitOfWork.autocommit.affected(
      'UPDATE idempotency_keys SET lease_until = lease_until + $3::interval WHERE account_id = $1 AND idempotency_key = $2',
      [place.accountId, place.key, interval],
    );
  const note = (noting: ClaimedKey, recordId: string) =>
    world.unitOfWork.transaction((tx) => noteRecordsOfKeys([{ claim: noting, recordId }], tx));

  it('go to one of any number of concurrent requests', async () => {
    const outcomes = await crowd(30, () => refusal());
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(29);
  });

  it('last as long as they are renewed', async () => {
    const first = await claim();
    await moveLease('-31 seconds');
    expect(await keys.renew(first)).toBe(true);
    // Without the renewal it would be over by now.
    await moveLease('-31 seconds');
    expect(await refusal()).toBe('conflict');
    await moveLease('-31 seconds');
    expect(await refusal()).toBe('none');
    expect(await keys.renew(first)).toBe(false);
  });

  it('pass from a dead owner to one of many successors, along with the record it created', async () => {
    const recordId = newRecordId();
    await note(await claim(), recordId);
    await moveLease('-61 seconds');
    const heirs = await crowd(20, () => outcome());
    const claims = heirs.flatMap((heir) => (heir instanceof DomainError ? [] : [heir]));
    expect(claims.map((heir) => heir.recordId)).toEqual([recordId]);
  });

  it('do not pass to another payload', async () => {
    await claim();
    await moveLease('-61 seconds');
    expect(await refusal(Buffer.from('other'))).toBe('unprocessable_entity');
  });

  it('no longer let an owner store, release or note anything once taken over', async () => {
    const first = await claim();
    await moveLease('-61 seconds');
    const heir = await claim();
    await keys.keep(first, { ...ANSWER, status: 400 });
    await keys.release(first, true);
    await expect(note(first, newRecordId())).rejects.toMatchObject({ code: 'conflict' });
    await keys.keep(heir, ANSWER);
    expect(await keys.claim(place, PAYLOAD)).toEqual({ answer: ANSWER });
  });

  it('free the key when released', async () => {
    await keys.release(await claim(), false);
    expect((await claim(Buffer.from('other'))).recordId).toBeNull();
  });

  it('leave a key with a record to be answered from that record, unless it was not created', async () => {
    const recordId = newRecordId();
    const first = await claim();
    await note(first, recordId);
    await keys.release(first, false);
    const second = await claim();
    expect(second.recordId).toBe(recordId);
    await keys.release(second, true);
    expect((await claim()).recordId).toBeNull();
  });

  it('forget the record of a transaction that was rolled back', async () => {
    const first = await claim();
    const rolledBack = world.unitOfWork.transaction(async (tx) => {
      await noteRecordsOfKeys([{ claim: first, recordId: newRecordId() }], tx);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    await keys.release(first, false);
    expect((await claim()).recordId).toBeNull();
  });

  it('are noted for several requests atomically', async () => {
    const first = await claim();
    place = { ...place, key: uniqueKey() };
    const second = await claim();
    await moveLease('-61 seconds');
    await claim();
    const notes = [first, second].map((one) => ({ claim: one, recordId: newRecordId() }));
    await expect(world.unitOfWork.transaction((tx) => noteRecordsOfKeys(notes, tx))).rejects.toMatchObject({
      code: 'conflict',
    });
    const noted = await world.unitOfWork.autocommit.rows(
      'SELECT 1 FROM idempotency_keys WHERE account_id = $1 AND record_id IS NOT NULL',
      [place.accountId],
    );
    expect(noted).toEqual([]);
  });
});
