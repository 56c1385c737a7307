import type { MigrationInterface } from 'typeorm';
import { CreateAccounts1790000000001 } from './0001-create-accounts.js';
import { CreateApiKeys1790000000002 } from './0002-create-api-keys.js';
import { CreateBusinessPhones1790000000003 } from './0003-create-business-phones.js';
import { CreateWallets1790000000004 } from './0004-create-wallets.js';
import { CreateConfigurationEpoch1790000000005 } from './0005-create-configuration-epoch.js';
import { CreateRateLimits1790000000006 } from './0006-create-rate-limits.js';
import { CreateContacts1790000000007 } from './0007-create-contacts.js';
import { CreateTemplates1790000000008 } from './0008-create-templates.js';
import { CreateConversations1790000000009 } from './0009-create-conversations.js';
import { CreateCampaigns1790000000010 } from './0010-create-campaigns.js';
import { CreateMessages1790000000011 } from './0011-create-messages.js';
import { CreateEvents1790000000012 } from './0012-create-events.js';
import { CreateIdempotencyKeys1790000000013 } from './0013-create-idempotency-keys.js';
import { CountContacts1790000000020 } from './0020-count-contacts.js';
import { IndexContacts1790000000021 } from './0021-index-contacts.js';
import { CountGroupMembers1790000000022 } from './0022-count-group-members.js';
import { KeepDeletedTemplates1790000000040 } from './0040-keep-deleted-templates.js';
import { WatchTemplates1790000000045 } from './0045-watch-templates.js';
import { RecordAssignments1790000000050 } from './0050-record-assignments.js';
import { RotateInboundAssignments1790000000051 } from './0051-rotate-inbound-assignments.js';
import { ListConversations1790000000052 } from './0052-list-conversations.js';
import { CountConversations1790000000053 } from './0053-count-conversations.js';
import { DropIdleDeliveryIndex1790000000060 } from './0060-drop-idle-delivery-index.js';
import { CountContactGroups1790000000061 } from './0061-count-contact-groups.js';
import { ListHeldConversations1790000000062 } from './0062-list-held-conversations.js';
import { ListAgents1790000000063 } from './0063-list-agents.js';
import { RememberWindowEdges1790000000064 } from './0064-remember-window-edges.js';
import { DateConsent1790000000065 } from './0065-date-consent.js';

/** Every migration, oldest first. One that has landed is never edited. */
export const MIGRATIONS: (new () => MigrationInterface)[] = [
  CreateAccounts1790000000001,
  CreateApiKeys1790000000002,
  CreateBusinessPhones1790000000003,
  CreateWallets1790000000004,
  CreateConfigurationEpoch1790000000005,
  CreateRateLimits1790000000006,
  CreateContacts1790000000007,
  CreateTemplates1790000000008,
  CreateConversations1790000000009,
  CreateCampaigns1790000000010,
  CreateMessages1790000000011,
  CreateEvents1790000000012,
  CreateIdempotencyKeys1790000000013,
  CountContacts1790000000020,
  IndexContacts1790000000021,
  CountGroupMembers1790000000022,
  KeepDeletedTemplates1790000000040,
  WatchTemplates1790000000045,
  RecordAssignments1790000000050,
  RotateInboundAssignments1790000000051,
  ListConversations1790000000052,
  CountConversations1790000000053,
  DropIdleDeliveryIndex1790000000060,
  CountContactGroups1790000000061,
  ListHeldConversations1790000000062,
  ListAgents1790000000063,
  RememberWindowEdges1790000000064,
  DateConsent1790000000065,
];
