import { IdempotencyKey } from '../../src/idempotency/idempotency-key.entity.js';
import type { ApiResponse } from '../support/api-client.js';
import type { TestAccount, World } from '../support/world.js';

let keys = 0;
/** A unique Idempotency-Key. */
export const uniqueKey = (): string => {
  keys += 1;
  return `key-${process.pid}-${keys}`;
};

export type Posting = (body: unknown, key?: string, path?: string) => Promise<ApiResponse>;

/** POSTs with an Idempotency-Key. */
export const poster =
  ({ api }: Pick<TestAccount, 'api'>, usualPath: string): Posting =>
  (body, key, path = usualPath) =>
    api.post(path, body, key === undefined ? {} : { headers: { 'idempotency-key': key } });

export const isReplay = ({ headers }: Pick<ApiResponse, 'headers'>): boolean =>
  headers.get('idempotency-replayed') === 'true';

/** The stored key, or null if there is none. */
export const keyRow = (world: World, { accountId }: TestAccount, key: string): Promise<IdempotencyKey | null> =>
  world.unitOfWork.autocommit.manager.findOneBy(IdempotencyKey, { accountId, idempotencyKey: key });

/** Leaves the key as if its owner had died before answering and its lease had expired. */
export const killOwner = async (world: World, { accountId }: TestAccount, key: string): Promise<void> => {
  const killed = await world.unitOfWork.autocommit.affected(
    `UPDATE idempotency_keys SET status_code = NULL, response = NULL, lease_until = now() - interval '1 second'
     WHERE account_id = $1 AND idempotency_key = $2`,
    [accountId, key],
  );
  expect(killed).toBe(1);
};

/** The same for an owner that died before it created anything. */
export const killOwnerEarly = async (world: World, account: TestAccount, key: string): Promise<void> => {
  await killOwner(world, account, key);
  await world.unitOfWork.autocommit.affected(
    `UPDATE idempotency_keys SET record_id = NULL WHERE account_id = $1 AND idempotency_key = $2`,
    [account.accountId, key],
  );
};
