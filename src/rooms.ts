import { AccountsModule } from './accounts/accounts.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BusinessPhonesModule } from './business-phones/business-phones.module.js';
import { CampaignsModule } from './campaigns/campaigns.module.js';
import { ConnectModule } from './connect/connect.module.js';
import { ConsentModule } from './consent/consent.module.js';
import { ContactsModule } from './contacts/contacts.module.js';
import { ConversationsModule } from './conversations/conversations.module.js';
import { CountersModule } from './counters/counters.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EgressModule } from './egress/egress.module.js';
import { EXTENSIONS } from './extensions.js';
import { GroupsModule } from './groups/groups.module.js';
import { HealthModule } from './health/health.module.js';
import { HooksModule } from './hooks/hooks.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { InboundModule } from './inbound/inbound.module.js';
import { LiveModule } from './live/live.module.js';
import { Manifest } from './manifest/manifest.js';
import type { RoomClass } from './manifest/room.js';
import { MediaModule } from './media/media.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { NetworkModule } from './network/network.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { PeopleModule } from './people/people.module.js';
import { PersonalDataModule } from './personal-data/personal-data.module.js';
import { SweepsModule } from './queues/sweeps.module.js';
import { RateLimitModule } from './rate-limit/rate-limit.module.js';
import { ReportsModule } from './reports/reports.module.js';
import { SavedRepliesModule } from './saved-replies/saved-replies.module.js';
import { SendingModule } from './sending/sending.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { TemplatesModule } from './templates/templates.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The rooms of the core, in the order in which the description of the API lists them. */
export const ROOMS: readonly RoomClass[] = [
  DatabaseModule,
  SweepsModule,
  HooksModule,
  EgressModule,
  OutboxModule,
  CountersModule,
  NetworkModule,
  AccountsModule,
  AuthModule,
  RateLimitModule,
  IdempotencyModule,
  MediaModule,
  MessagesModule,
  SendingModule,
  ReportsModule,
  TemplatesModule,
  CampaignsModule,
  ConsentModule,
  PeopleModule,
  ContactsModule,
  GroupsModule,
  ConversationsModule,
  SavedRepliesModule,
  AgentsModule,
  BusinessPhonesModule,
  ConnectModule,
  WebhooksModule,
  ApiKeysModule,
  SessionsModule,
  AuditModule,
  InboundModule,
  UpkeepModule,
  PersonalDataModule,
  LiveModule,
  HealthModule,
];

/** Every room, extensions last. */
export const MANIFEST = new Manifest(ROOMS, EXTENSIONS);
