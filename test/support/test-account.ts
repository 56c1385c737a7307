import { issueKey } from '../../src/accounts/api-key.js';
import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import type { SecretBox } from '../../src/database/secrets/secret-box.js';
import { MANIFEST } from '../../src/rooms.js';
import { newRecordId } from '../../src/values/record-id.js';

/**
 * Changes to the default account, which has an organisation, an owner, one business phone, credits and an API key. Its
 * phones are never looked up on the network.
 */
export interface AccountOptions {
  readonly organisation?: boolean;
  readonly scopes?: readonly string[];
  /** Requests per minute; by default so high that tests never hit it. */
  readonly rateLimit?: number;
  readonly phones?: number;
  readonly throughput?: number;
  readonly credits?: number;
}

/** A business phone of a test account. */
export interface TestPhone {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
}

/** The ids and keys of a test account. */
export interface AccountRows {
  readonly accountId: string;
  readonly organisationId: string | null;
  readonly ownerId: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly phones: readonly (TestPhone & { readonly display: string })[];
  /** The first of {@link phones}. */
  readonly phone: TestPhone;
}

/** Numbers that a test file may take per millisecond of its run before it reaches those of the next file. */
const NUMBERS_PER_MS = 100;

// The files of a worker share its database and run one after another, so the time of the start keeps their numbers apart.
let numbers = (Date.now() % 1e7) * NUMBERS_PER_MS;
/** Digits that no other test file of this worker takes either. */
export const uniqueDigits = (): string => {
  numbers += 1;
  return `${process.env.JEST_WORKER_ID ?? 1}${String(numbers).padStart(9, '0')}`;
};
/** The ends of the numbers of people who do not just receive what is sent to them (docs/simulator.md). */
const SPECIAL = /99900\d\d$/;
/** A valid phone number that no other test file of this worker takes either, of somebody who receives everything. */
export function uniquePhone(): string {
  const digits = uniqueDigits();
  return SPECIAL.test(digits) ? uniquePhone() : `4915${digits.slice(-9)}`;
}

/** Inserts a tenant, row by row with `insert`. The caller commits and registers the phones with the simulator. */
export async function insertAccount(
  options: AccountOptions,
  secrets: SecretBox,
  insert: (sql: string, parameters: unknown[]) => Promise<unknown>,
): Promise<AccountRows> {
  const { organisation = true, scopes = MANIFEST.scopes, rateLimit = 1_000_000 } = options;
  const accountId = newRecordId();
  const ownerId = newRecordId();
  const keyId = newRecordId();
  const organisationId = organisation ? newRecordId() : null;
  const issued = issueKey();
  const wabaId = `77${uniqueDigits()}`;
  const phones = Array.from({ length: options.phones ?? 1 }, () => ({
    id: newRecordId(),
    phoneNumberId: `55${uniqueDigits()}`,
    wabaId,
    display: `1555${uniqueDigits().slice(-7)}`,
  }));
  const [phone] = phones;
  if (phone === undefined) throw new Error('phones must be at least 1');
  if (organisationId !== null) {
    await insert('INSERT INTO organisations (id, name) VALUES ($1, $2)', [organisationId, 'Test organisation']);
  }
  await insert(
    `INSERT INTO users (id, organisation_id, full_name, email, role) VALUES ($1, $2, 'Olive Owner', $3, 'owner')`,
    [ownerId, organisationId, `owner-${ownerId}@example.test`],
  );
  await insert('INSERT INTO accounts (id, organisation_id, owner_id, name) VALUES ($1, $2, $3, $4)', [
    accountId,
    organisationId,
    ownerId,
    'Test account',
  ]);
  const credits = options.credits ?? 1_000_000;
  if (credits > 0) {
    await insert(`INSERT INTO wallet_entries (account_id, id, kind, amount) VALUES ($1, $2, 'credit', $3)`, [
      accountId,
      newRecordId(),
      credits,
    ]);
  }
  await insert(
    `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, rate_limit, idempotency_family)
     VALUES ($1, $2, 'test', $3, $4, $5, $6, $2)`,
    [accountId, keyId, issued.prefix, issued.secretHash, scopes, rateLimit],
  );
  await insert('INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, $2)', [accountId, wabaId]);
  for (const [index, { id, phoneNumberId, display }] of phones.entries()) {
    await insert(
      `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, throughput, is_primary, access_token,
                                    look_up_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'infinity')`,
      [
        accountId,
        id,
        wabaId,
        phoneNumberId,
        display,
        options.throughput ?? 0,
        index === 0,
        secrets.seal('test-token', tokenPlace(accountId, id)),
      ],
    );
  }
  return { accountId, organisationId, ownerId, keyId, apiKey: issued.key, phones, phone };
}
