import { findAgents } from '../../src/agents/agent.queries.js';
import { byNumber } from '../../src/contacts/contact-ref.js';
import { searchContacts } from '../../src/contacts/contact-search.queries.js';
import { listContacts } from '../../src/contacts/contacts.queries.js';
import { contactsAfter } from '../../src/contacts/files/contact-files.queries.js';
import {
  type ConversationFilter,
  findAssignment,
  listConversations,
} from '../../src/conversations/conversation.queries.js';
import { lockThread } from '../../src/conversations/transition.queries.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { knownGroups, listMembers, lockContacts, membersOfGroups } from '../../src/groups/group-members.queries.js';
import { findGroup, listGroups, searchGroups } from '../../src/groups/groups.queries.js';
import { listMessages, type MessageFilter } from '../../src/messages/history/message-history.queries.js';
import type { Page } from '../../src/values/page.js';
import type { LargeTenant } from './large-tenant.js';

/**
 * A query that a list or look-up of the API sends. Its SQL is in docs/queries, its plan in
 * test/contacts/query-plans.spec.ts.
 */
export interface DocumentedRead {
  /** Which file of docs/queries it is in. */
  readonly room: 'contacts' | 'groups' | 'agents' | 'conversations';
  /** The function, and which of its statements where it has several. */
  readonly name: string;
  /** Which requests send it. */
  readonly asker: string;
  run(tenant: LargeTenant, page: Page, tx: Tx): Promise<unknown>;
}

const CONTACTS = 'GET /api/v1/contacts/';
const GROUPS = 'GET /api/v1/groups/';
const AGENTS = 'GET /api/v1/agents/';
const CONVERSATIONS = 'GET /api/v1/conversations/';
const ASSIGNMENT = 'GET /api/v1/conversations/{contact_phone}/assignment';
const HISTORY = 'GET /api/v1/conversations/{contact_phone}/messages';

export const DOCUMENTED_READS: readonly DocumentedRead[] = [
  {
    room: 'contacts',
    name: 'listContacts',
    asker: CONTACTS,
    run: ({ accountId }, page, tx) => listContacts(accountId, page, tx),
  },
  {
    room: 'contacts',
    name: 'searchContacts',
    asker: `${CONTACTS} with a search that holds a trigram`,
    run: ({ accountId }, page, tx) => searchContacts(accountId, 'Lindgrove', page, tx),
  },
  {
    room: 'contacts',
    name: 'searchContacts: short',
    asker: `${CONTACTS} with a search too short for the trigram index`,
    run: ({ accountId }, page, tx) => searchContacts(accountId, 'q', page, tx),
  },
  {
    room: 'contacts',
    name: 'contactsAfter',
    asker: 'GET /api/v1/contacts/export, page by page',
    run: ({ accountId, contactId }, { limit }, tx) => contactsAfter(accountId, contactId, limit, tx),
  },
  {
    room: 'groups',
    name: 'listGroups',
    asker: GROUPS,
    run: ({ accountId }, page, tx) => listGroups(accountId, page, tx),
  },
  {
    room: 'groups',
    name: 'searchGroups',
    asker: `${GROUPS} with a search`,
    run: ({ accountId }, page, tx) => searchGroups(accountId, '77', page, tx),
  },
  {
    room: 'groups',
    name: 'findGroup',
    asker: 'GET /api/v1/groups/{group_id}',
    run: ({ accountId, largestGroupId }, _, tx) => findGroup(accountId, largestGroupId, tx),
  },
  {
    room: 'groups',
    name: 'listMembers',
    asker: 'GET /api/v1/groups/{group_id}/contacts',
    run: ({ accountId, largestGroupId }, page, tx) => listMembers(accountId, largestGroupId, page, tx),
  },
  {
    room: 'groups',
    name: 'lockContacts',
    asker: 'POST and DELETE /api/v1/groups/{group_id}/contacts, before members change',
    run: ({ accountId, contactId }, _, tx) => lockContacts(accountId, [contactId], tx),
  },
  {
    room: 'groups',
    name: 'knownGroups',
    asker: 'POST /api/v1/campaigns/ with group_ids',
    run: ({ accountId, largestGroupId }, _, tx) => knownGroups(accountId, [largestGroupId], tx),
  },
  {
    room: 'groups',
    name: 'membersOfGroups',
    asker: 'POST /api/v1/campaigns/ with group_ids',
    run: ({ accountId, smallGroupId }, _, tx) => membersOfGroups(accountId, [smallGroupId], 10_001, tx),
  },
  {
    room: 'agents',
    name: 'findAgents',
    asker: AGENTS,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active' }, page, tx),
  },
  {
    room: 'agents',
    name: 'findAgents: role',
    asker: `${AGENTS} with a role`,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active', role: 'agent' }, page, tx),
  },
  {
    room: 'agents',
    name: 'findAgents: search',
    asker: `${AGENTS} with a search`,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active', search: 'agent4' }, page, tx),
  },
  {
    room: 'conversations',
    name: 'findAssignment',
    asker: ASSIGNMENT,
    run: ({ accountId, contactPhone }, _, tx) => findAssignment(accountId, byNumber(contactPhone), null, tx),
  },
  {
    room: 'conversations',
    name: 'lockThread',
    asker: 'POST /api/v1/conversations/{contact_phone}/assign, unassign, reopen and resolve',
    run: ({ accountId, contactPhone }, _, tx) => lockThread(accountId, byNumber(contactPhone), null, tx),
  },
  conversations('listConversations', '', () => ({})),
  conversations('listConversations: status', 'of one status', () => ({ status: 'open' })),
  conversations('listConversations: assigned_to', 'of one assignee', ({ agentId }) => ({ assignedTo: agentId })),
  conversations('listConversations: status, assigned_to', 'of one status and assignee', ({ agentId }) => ({
    status: 'open',
    assignedTo: agentId,
  })),
  conversations('listConversations: unassigned', 'that nobody holds', () => ({ unassigned: true })),
  conversations('listConversations: assigned', 'that anybody holds', () => ({ unassigned: false })),
  conversations('listConversations: status, unassigned', 'of one status that nobody holds', () => ({
    status: 'resolved',
    unassigned: true,
  })),
  history('listMessages', '', () => ({})),
  history('listMessages: waba_phone_id', ' with one business phone', ({ businessPhoneId }) => ({ businessPhoneId })),
];

function conversations(
  name: string,
  which: string,
  filter: (tenant: LargeTenant) => Partial<ConversationFilter>,
): DocumentedRead {
  const none: ConversationFilter = { status: null, assignedTo: null, unassigned: null };
  return {
    room: 'conversations',
    name,
    asker: which === '' ? CONVERSATIONS : `${CONVERSATIONS}, those ${which}`,
    run: (tenant, page, tx) => listConversations(tenant.accountId, { ...none, ...filter(tenant) }, page, tx),
  };
}

function history(name: string, which: string, filter: (tenant: LargeTenant) => Partial<MessageFilter>): DocumentedRead {
  const none: MessageFilter = {
    contactPhone: null,
    contactUserId: null,
    campaignId: null,
    direction: null,
    status: null,
    businessPhoneId: null,
  };
  return {
    room: 'conversations',
    name,
    asker: HISTORY + which,
    run: (tenant, page, tx) =>
      listMessages(tenant.accountId, { ...none, contactPhone: tenant.contactPhone, ...filter(tenant) }, page, tx),
  };
}
