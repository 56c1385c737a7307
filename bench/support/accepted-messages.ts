import { PHONE_NUMBER_CONFLICT } from '../../src/people/person-keys.js';
import { newRecordId } from '../../src/values/record-id.js';
import { BENCH_CONTACT } from './callbacks.js';
import type { BenchAccount, Stack } from './stack.js';

/** Creates the table that the floor of a bench uses instead of `messages`. */
export async function createFloorMessages({ unitOfWork }: Stack): Promise<void> {
  await unitOfWork.autocommit.affected('CREATE TABLE floor_messages (id uuid PRIMARY KEY, status text)');
}

/** Stores messages that the network has accepted, for Parley and for the floor; returns their ids. */
export async function storeAcceptedMessages(stack: Stack, account: BenchAccount, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newRecordId());
  const tx = stack.unitOfWork.autocommit;
  const contact = await tx.row<{ id: string }>(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, source) VALUES ($1, $2, '${BENCH_CONTACT}', 'Ada', 'api')
     ON CONFLICT ${PHONE_NUMBER_CONFLICT} DO UPDATE SET first_name = 'Ada' RETURNING id`,
    [account.accountId, newRecordId()],
  );
  await tx.affected(
    `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, status, seen,
                           network_message_id, accepted_at)
     SELECT $1, id, 'out', $2, $3, 'template', 'sent', 1, 'wamid.' || id, now() FROM unnest($4::uuid[]) AS id`,
    [account.accountId, contact?.id, account.businessPhoneId, ids],
  );
  await tx.affected(`INSERT INTO floor_messages (id, status) SELECT id, 'sent' FROM unnest($1::uuid[]) AS id`, [ids]);
  return ids;
}
