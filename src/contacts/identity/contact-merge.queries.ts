import type { Tx } from '../../database/unit-of-work.js';
import { now } from '../../values/clock.js';
import type { RecordId } from '../../values/record-id.js';
import { Contact } from '../contact.entity.js';
import { isDefaultName } from '../contact-name.js';

// Merges two contacts that turn out to be the same person. Everything happens in one transaction, which has locked both
// with `lockIdentities`. This file writes to the tables of other rooms, because a half-done merge must never be
// visible. Locks are taken in the order of all writers: contacts, messages, recipients, conversations, groups.

/**
 * Merges a contact without a number into another one, which takes over its messages, campaign recipients,
 * conversations, group memberships, consent and user id. The merged contact stays as a deleted row that points to the
 * other one: callers know its id, and a recipient that cannot move still needs a contact.
 */
export async function mergeContact(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  const kept = await tx.manager.findOneByOrFail(Contact, { accountId, id: keptId });
  const gone = await tx.manager.findOneByOrFail(Contact, { accountId, id: goneId });
  await lockMessages(accountId, goneId, tx);
  const keptCampaigns = await moveRecipients(accountId, keptId, goneId, tx);
  await moveMessages(accountId, keptId, goneId, keptCampaigns, tx);
  await moveConversations(accountId, keptId, goneId, tx);
  await moveMemberships(accountId, keptId, goneId, tx);
  await tx.manager.update(
    Contact,
    { accountId, id: goneId },
    { ...blank(gone), mergedInto: keptId, updatedAt: () => 'now()' },
  );
  await tx.manager.update(
    Contact,
    { accountId, id: keptId },
    { ...mergedFields(kept, gone), updatedAt: () => 'now()' },
  );
}

/** The fields of a contact that was merged: no personal data is left. */
const blank = ({ deletedAt }: Contact): Partial<Contact> => ({
  userId: null,
  username: null,
  firstName: '',
  lastName: null,
  email: null,
  company: null,
  tags: [],
  deletedAt: deletedAt ?? now(),
});

/** Fills the gaps of the kept contact from the merged one, and takes the later consent decision. */
function mergedFields(kept: Contact, gone: Contact): Partial<Contact> {
  const named = isDefaultName(kept.firstName) && kept.lastName === null && gone.firstName !== '' ? gone : kept;
  return {
    userId: gone.userId,
    username: gone.username,
    firstName: named.firstName,
    lastName: named.lastName,
    email: kept.email ?? gone.email,
    company: kept.company ?? gone.company,
    tags: kept.tags.length === 0 ? gone.tags : kept.tags,
    ...laterConsent(kept, gone),
    deletedAt: gone.deletedAt === null ? null : kept.deletedAt,
  };
}

type Consent = Pick<Contact, 'optedIn' | 'consentAt'>;

/** If both decisions have the same timestamp, opting out wins. */
function laterConsent(kept: Consent, gone: Consent): Consent {
  const [keptAt, goneAt] = [kept.consentAt?.getTime() ?? -1, gone.consentAt?.getTime() ?? -1];
  if (keptAt === goneAt) return { optedIn: kept.optedIn && gone.optedIn, consentAt: kept.consentAt };
  const { optedIn, consentAt } = goneAt > keptAt ? gone : kept;
  return { optedIn, consentAt };
}

/** Blocks new status reports. Those in flight have locked their messages first and may still need the recipients. */
async function lockMessages(accountId: string, goneId: RecordId, tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT count(*) FROM (
       SELECT id FROM messages WHERE account_id = $1 AND contact_id = $2 ORDER BY id FOR UPDATE
     ) locked`,
    [accountId, goneId],
  );
}

/**
 * Moves the recipients of campaigns that do not also have the kept contact. Recipients have no index by contact, so
 * unfinished campaigns are found by status and all others through their messages. The kept contact is looked up once
 * per campaign as a scalar subquery; with a join the planner might read all recipients of the account.
 *
 * @returns the campaigns whose recipient does not move
 */
async function moveRecipients(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<RecordId[]> {
  const rows = await tx.rows<{ campaignId: RecordId }>(
    `WITH campaign AS MATERIALIZED (
       SELECT id FROM campaigns WHERE account_id = $1 AND status NOT IN ('completed', 'cancelled')
       UNION
       SELECT campaign_id FROM messages WHERE account_id = $1 AND contact_id = $3 AND campaign_id IS NOT NULL
     ), held AS MATERIALIZED (
       SELECT r.campaign_id,
              (SELECT true FROM campaign_recipients o
               WHERE o.account_id = $1 AND o.campaign_id = r.campaign_id AND o.contact_id = $2) IS NOT NULL AS stays
       FROM campaign_recipients r
       WHERE r.account_id = $1 AND r.contact_id = $3 AND r.campaign_id = ANY (ARRAY(SELECT id FROM campaign))
       ORDER BY r.campaign_id
       FOR UPDATE OF r
     ), moved AS (
       UPDATE campaign_recipients r SET contact_id = $2
       FROM held
       WHERE r.account_id = $1 AND r.campaign_id = held.campaign_id AND r.contact_id = $3 AND NOT held.stays
     )
     SELECT campaign_id FROM held WHERE stays`,
    [accountId, keptId, goneId],
  );
  return rows.map(({ campaignId }) => campaignId);
}

/**
 * Moves messages, except those of campaigns whose recipient does not move: a message's contact and campaign are the key
 * of its recipient.
 */
async function moveMessages(
  accountId: string,
  keptId: RecordId,
  goneId: RecordId,
  keptCampaigns: readonly RecordId[],
  tx: Tx,
): Promise<void> {
  await tx.affected(
    `UPDATE messages SET contact_id = $2
     WHERE account_id = $1 AND contact_id = $3 AND (campaign_id IS NULL OR campaign_id <> ALL ($4::uuid[]))`,
    [accountId, keptId, goneId, keptCampaigns],
  );
}

/**
 * Business phones with which both contacts have a conversation. The one active last survives, with status and assignee.
 */
const PAIRS = `pair AS MATERIALIZED (
       SELECT k.business_phone_id,
              CASE WHEN g.active_at > k.active_at THEN g.contact_id ELSE k.contact_id END AS survivor,
              CASE WHEN g.active_at > k.active_at THEN k.contact_id ELSE g.contact_id END AS other,
              greatest(k.last_inbound_at, g.last_inbound_at) AS last_inbound_at,
              CASE WHEN g.last_inbound_at > k.last_inbound_at OR k.last_inbound_at IS NULL
                   THEN g.auto_replied_at ELSE k.auto_replied_at END AS auto_replied_at,
              greatest(k.last_message_at, g.last_message_at) AS last_message_at,
              CASE WHEN g.last_message_at > k.last_message_at OR k.last_message_at IS NULL
                   THEN g.last_message_preview ELSE k.last_message_preview END AS last_message_preview,
              greatest(k.changed_at, g.changed_at) AS changed_at, least(k.created_at, g.created_at) AS created_at
       FROM conversations k
       JOIN conversations g ON g.account_id = k.account_id AND g.business_phone_id = k.business_phone_id
       WHERE k.account_id = $1 AND k.contact_id = $2 AND g.contact_id = $3
     )`;

async function moveConversations(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  const parameters = [accountId, keptId, goneId];
  await tx.rows(
    `SELECT 1 FROM conversations WHERE account_id = $1 AND contact_id IN ($2, $3)
     ORDER BY contact_id, business_phone_id
     FOR UPDATE`,
    parameters,
  );
  await tx.affected(
    `WITH ${PAIRS}
     UPDATE conversation_assignments h
     SET contact_id = pair.survivor,
         held_until = coalesce(h.held_until, greatest(now(), h.held_from + interval '1 millisecond'))
     FROM pair
     WHERE h.account_id = $1 AND h.contact_id = pair.other AND h.business_phone_id = pair.business_phone_id
       AND NOT EXISTS (SELECT FROM conversation_assignments o
                       WHERE o.account_id = $1 AND o.contact_id = pair.survivor
                         AND o.business_phone_id = pair.business_phone_id AND o.held_from = h.held_from)`,
    parameters,
  );
  await tx.affected(
    `WITH ${PAIRS}, ended AS (
       DELETE FROM conversations t USING pair
       WHERE t.account_id = $1 AND t.contact_id = pair.other AND t.business_phone_id = pair.business_phone_id
     )
     UPDATE conversations t
     SET last_inbound_at = pair.last_inbound_at, auto_replied_at = pair.auto_replied_at,
         last_message_at = pair.last_message_at, last_message_preview = pair.last_message_preview,
         changed_at = pair.changed_at, created_at = pair.created_at
     FROM pair
     WHERE t.account_id = $1 AND t.contact_id = pair.survivor AND t.business_phone_id = pair.business_phone_id`,
    parameters,
  );
  // The assignment history follows through its foreign key.
  await tx.affected('UPDATE conversations SET contact_id = $2 WHERE account_id = $1 AND contact_id = $3', parameters);
}

async function moveMemberships(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
  await tx.rows(
    `SELECT g.id FROM contact_groups g
     WHERE g.account_id = $1
       AND g.id IN (SELECT m.group_id FROM group_members m WHERE m.account_id = $1 AND m.contact_id = $2)
     ORDER BY g.id
     FOR NO KEY UPDATE`,
    [accountId, goneId],
  );
  await tx.affected(
    `INSERT INTO group_members (account_id, group_id, contact_id, added_at)
     SELECT account_id, group_id, $2, added_at FROM group_members WHERE account_id = $1 AND contact_id = $3
     ORDER BY group_id
     ON CONFLICT ON CONSTRAINT group_members_pkey DO NOTHING`,
    [accountId, keptId, goneId],
  );
  await tx.affected('DELETE FROM group_members WHERE account_id = $1 AND contact_id = $2', [accountId, goneId]);
}
