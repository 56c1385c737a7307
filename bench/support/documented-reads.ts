import { findAgents } from '../../src/agents/agent.queries.js';
import { searchContacts } from '../../src/contacts/contact-search.queries.js';
import { listContacts } from '../../src/contacts/contacts.queries.js';
import { contactsAfter } from '../../src/contacts/files/contact-files.queries.js';
import { findAssignment, listConversations } from '../../src/conversations/conversation.queries.js';
import type { ConversationFilter } from '../../src/conversations/conversation-filter.js';
import { lockConversation } from '../../src/conversations/transition.queries.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import {
  listMembers,
  lockForMembership,
  membersOfGroups,
  namesOfGroups,
} from '../../src/groups/group-members.queries.js';
import { findGroup, listGroups, searchGroups } from '../../src/groups/groups.queries.js';
import { ANY_MESSAGE, listMessages, type MessageFilter } from '../../src/messages/history/message-history.queries.js';
import { byNumber } from '../../src/people/contact-ref.js';
import type { Page } from '../../src/values/page.js';
import type { LargeTenant } from './large-tenant.js';

/** A read query of the API. docs/queries shows its SQL, and test/contacts/query-plans.spec.ts checks its plan. */
export interface DocumentedRead {
  /** Its file in docs/queries. */
  readonly room: 'contacts' | 'groups' | 'agents' | 'conversations';
  /** The function, and its variant if it has several statements. */
  readonly name: string;
  /** The requests that use it. */
  readonly requests: string;
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
    requests: CONTACTS,
    run: ({ accountId }, page, tx) => listContacts(accountId, page, tx),
  },
  {
    room: 'contacts',
    name: 'searchContacts',
    requests: `${CONTACTS} with a search that contains a trigram`,
    run: ({ accountId }, page, tx) => searchContacts(accountId, 'Lindgrove', page, tx),
  },
  {
    room: 'contacts',
    name: 'searchContacts: number',
    requests: `${CONTACTS} with a search that is written as a number`,
    run: ({ accountId }, page, tx) => searchContacts(accountId, '+49 151 777', page, tx),
  },
  {
    room: 'contacts',
    name: 'searchContacts: short',
    requests: `${CONTACTS} with a search too short for the trigram index`,
    run: ({ accountId }, page, tx) => searchContacts(accountId, 'q', page, tx),
  },
  {
    room: 'contacts',
    name: 'contactsAfter',
    requests: 'GET /api/v1/contacts/export, page by page',
    run: ({ accountId, contactId }, { limit }, tx) => contactsAfter(accountId, contactId, limit, tx),
  },
  {
    room: 'groups',
    name: 'listGroups',
    requests: GROUPS,
    run: ({ accountId }, page, tx) => listGroups(accountId, page, tx),
  },
  {
    room: 'groups',
    name: 'searchGroups',
    requests: `${GROUPS} with a search`,
    run: ({ accountId }, page, tx) => searchGroups(accountId, '77', null, page, tx),
  },
  {
    room: 'groups',
    name: 'findGroup',
    requests: 'GET /api/v1/groups/{group_id}',
    run: ({ accountId, largestGroupId }, _, tx) => findGroup(accountId, largestGroupId, tx),
  },
  {
    room: 'groups',
    name: 'listMembers',
    requests: 'GET /api/v1/groups/{group_id}/contacts',
    run: ({ accountId, largestGroupId }, page, tx) => listMembers(accountId, largestGroupId, page, tx),
  },
  {
    room: 'groups',
    name: 'lockForMembership',
    requests: 'POST and DELETE /api/v1/groups/{group_id}/contacts, before members change',
    run: ({ accountId, contactId }, _, tx) => lockForMembership(accountId, [contactId], tx),
  },
  {
    room: 'groups',
    name: 'namesOfGroups',
    requests: 'POST /api/v1/campaigns/ with group_ids',
    run: ({ accountId, largestGroupId }, _, tx) => namesOfGroups(accountId, [largestGroupId], tx),
  },
  {
    room: 'groups',
    name: 'membersOfGroups',
    requests: 'POST /api/v1/campaigns/ with group_ids',
    run: ({ accountId, smallGroupId }, _, tx) => membersOfGroups(accountId, [smallGroupId], 10_001, tx),
  },
  {
    room: 'agents',
    name: 'findAgents',
    requests: AGENTS,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active' }, page, tx),
  },
  {
    room: 'agents',
    name: 'findAgents: role',
    requests: `${AGENTS} with a role`,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active', role: 'agent' }, page, tx),
  },
  {
    room: 'agents',
    name: 'findAgents: search',
    requests: `${AGENTS} with a search`,
    run: ({ organisationId }, page, tx) => findAgents(organisationId, { status: 'active', search: 'agent4' }, page, tx),
  },
  {
    room: 'conversations',
    name: 'findAssignment',
    requests: ASSIGNMENT,
    run: ({ accountId, contactPhone }, _, tx) => findAssignment(accountId, byNumber(contactPhone), null, tx),
  },
  {
    room: 'conversations',
    name: 'lockConversation',
    requests: 'POST /api/v1/conversations/{contact_phone}/assign, unassign, reopen and resolve',
    run: ({ accountId, contactPhone }, _, tx) => lockConversation(accountId, byNumber(contactPhone), null, tx),
  },
  conversations('listConversations', '', () => ({})),
  conversations('listConversations: status', 'of one status', () => ({ status: 'open' })),
  conversations('listConversations: assigned_to', 'of one assignee', ({ agentId }) => ({ assignedTo: agentId })),
  conversations('listConversations: status, assigned_to', 'of one status and assignee', ({ agentId }) => ({
    status: 'open',
    assignedTo: agentId,
  })),
  conversations('listConversations: unassigned', 'that are unassigned', () => ({ unassigned: true })),
  conversations('listConversations: assigned', 'that are assigned', () => ({ unassigned: false })),
  conversations('listConversations: status, unassigned', 'of one status that are unassigned', () => ({
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
  const none: ConversationFilter = { status: null, assignedTo: null, unassigned: null, order: 'active' };
  return {
    room: 'conversations',
    name,
    requests: which === '' ? CONVERSATIONS : `${CONVERSATIONS}, those ${which}`,
    run: (tenant, page, tx) => listConversations(tenant.accountId, { ...none, ...filter(tenant) }, page, tx),
  };
}

function history(name: string, which: string, filter: (tenant: LargeTenant) => Partial<MessageFilter>): DocumentedRead {
  return {
    room: 'conversations',
    name,
    requests: HISTORY + which,
    run: (tenant, page, tx) =>
      listMessages(
        tenant.accountId,
        { ...ANY_MESSAGE, contactPhone: tenant.contactPhone, ...filter(tenant) },
        page,
        tx,
      ),
  };
}
