import { Account } from './accounts/account.entity.js';
import { ApiKey } from './accounts/api-key.entity.js';
import { BusinessAccount } from './accounts/business-account.entity.js';
import { BusinessPhone } from './accounts/business-phone.entity.js';
import { Organisation } from './accounts/organisation.entity.js';
import { User } from './accounts/user.entity.js';
import { WalletEntry } from './accounts/wallet-entry.entity.js';
import { AuditEntry } from './audit/audit-entry.entity.js';
import { Campaign } from './campaigns/campaign.entity.js';
import { CampaignRecipient } from './campaigns/campaign-recipient.entity.js';
import { Contact } from './contacts/contact.entity.js';
import { ContactErasure } from './contacts/erasure/contact-erasure.entity.js';
import { ContactPurge } from './contacts/erasure/contact-purge.entity.js';
import { HashKey } from './contacts/erasure/hash-key.entity.js';
import { Suppression } from './contacts/erasure/suppression.entity.js';
import { AssignmentRotation } from './conversations/assignment-rotation.entity.js';
import { Conversation } from './conversations/conversation.entity.js';
import { ConversationAssignment } from './conversations/conversation-assignment.entity.js';
import { Counter } from './counters/counter.entity.js';
import { CounterChange } from './counters/counter-change.entity.js';
import { ConfigurationEpoch } from './database/configuration-epoch.entity.js';
import { ContactGroup } from './groups/contact-group.entity.js';
import { GroupMember } from './groups/group-member.entity.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { ParkedReport } from './inbound/parked-report.entity.js';
import { UnhandledCallback } from './inbound/unhandled-callback.entity.js';
import { Message } from './messages/message.entity.js';
import { NetworkMessage } from './messages/network-message.entity.js';
import { SendInFlight } from './messages/sending/send-in-flight.entity.js';
import { PhoneThroughput } from './network/phone-throughput.entity.js';
import { LoggedEvent } from './outbox/logged-event.entity.js';
import { OutboxEntry } from './outbox/outbox-entry.entity.js';
import { ErasureRun } from './personal-data/erasure-run.entity.js';
import { RateLimitWindow } from './rate-limit/rate-limit-window.entity.js';
import { TemplateReview } from './templates/review/template-review.entity.js';
import { Template } from './templates/template.entity.js';
import { WebhookAttempt } from './webhooks/webhook-attempt.entity.js';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.js';
import { WebhookEndpoint } from './webhooks/webhook-endpoint.entity.js';
import { WebhookReplay } from './webhooks/webhook-replay.entity.js';

/** Every entity: one per table, each in the room that owns it. */
export const ENTITIES = [
  Organisation,
  User,
  Account,
  ApiKey,
  BusinessAccount,
  BusinessPhone,
  WalletEntry,
  PhoneThroughput,
  ConfigurationEpoch,
  Counter,
  CounterChange,
  RateLimitWindow,
  IdempotencyKey,
  AuditEntry,
  Contact,
  ContactErasure,
  ContactPurge,
  ErasureRun,
  Suppression,
  HashKey,
  ContactGroup,
  GroupMember,
  Template,
  TemplateReview,
  Conversation,
  ConversationAssignment,
  AssignmentRotation,
  Campaign,
  CampaignRecipient,
  Message,
  NetworkMessage,
  SendInFlight,
  ParkedReport,
  UnhandledCallback,
  LoggedEvent,
  OutboxEntry,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
  WebhookReplay,
];
