import { ContactErasure } from '../../src/contacts/erasure/contact-erasure.entity.js';
import { until } from '../support/until.js';
import type { TestAccount, World } from '../support/world.js';

/** Erases a contact through the API. */
export async function erase({ api }: TestAccount, contactId: string): Promise<void> {
  const { status, text } = await api.delete(`/api/v1/contacts/${contactId}?erase=true`);
  if (status !== 200) throw new Error(`the erasure was answered ${status} ${text}`);
}

/** Waits until that many passes over all tables are done for a contact. */
export const untilPass = (
  world: World,
  { accountId }: TestAccount,
  contactId: string,
  passes: number,
): Promise<ContactErasure> =>
  until(`all tables have been gone through (${passes})`, async () => {
    const { manager } = world.unitOfWork.autocommit;
    const row = await manager.findOneBy(ContactErasure, { accountId, contactId });
    return row !== null && row.passes >= passes && !row.inRun && row;
  });

/** Makes the erasures of an account `minutes` older. */
export const age = (world: World, { accountId }: TestAccount, minutes: number): Promise<number> =>
  world.unitOfWork.autocommit.affected(
    `UPDATE contact_erasures SET due_at = due_at - $2 * interval '1 minute',
            requested_at = requested_at - $2 * interval '1 minute' WHERE account_id = $1`,
    [accountId, minutes],
  );
