/**
 * What extensions import as `parley`. Everything here keeps its name and meaning from one release to the next; the rest of
 * src/ may change.
 */

// Declaring a module.

export {
  parseCidrs,
  parseNumber,
  parseOneOf,
  parseOrigins,
  parseRatio,
  parseSecret,
  parseUrl,
} from './config/environment-values.js';
export { Settings, secretSetting, setting } from './config/settings.js';
export { EVERY_EVENT, type EventClass, type EventManifest, eventBody } from './manifest/event-manifest.js';
export { type IdsOf, type JobKind, jobKind } from './manifest/job-kind.js';
export {
  type Kept,
  type MigrationClass,
  type PersonalData,
  Room,
  type RoomManifest,
  type Tag,
} from './manifest/room.js';
export { EXAMPLE_ID, EXAMPLE_IDS, EXAMPLE_PHONE, one, type RoomExamples } from './manifest/room-examples.js';

// Taking part in changes of the core.

export { CampaignListener, type EndedFacts, type StartedFacts } from './hooks/campaign-listener.js';
export { type ConversationFacts, ConversationListener } from './hooks/conversation-listener.js';
export {
  type EditFacts,
  type InboundFacts,
  InboundListener,
  type RevokeFacts,
  type TapFacts,
} from './hooks/inbound-listener.js';
export { PersonalDataSource } from './hooks/personal-data-source.js';

// Requests and responses.

export { type Caller, CurrentCaller } from './auth/caller.js';
export { Public, RequiresScope, type ScopeOptions } from './auth/scopes.js';
export { badRequest, conflict, DomainError, forbidden, notFound, unprocessable } from './errors/domain-error.js';
export { ApiDetailError } from './http/error-schemas.js';
export {
  AbsenceMeansMore,
  FromQueryNumber,
  Id,
  Iso8601,
  MayBeAbsent,
  OneOf,
  Optional,
  PhoneDigits,
  Text,
  TimeZone,
  TrueOrFalse,
  WholeNumber,
} from './http/field-rules.js';
export { IdList, ObjectList, ObjectOf, TextList, TextMap } from './http/list-rules.js';
export { ListQuery, PageQuery, SearchQuery } from './http/page.dto.js';
export { RecordIdPipe } from './http/record-id.pipe.js';
export { ListResponse, PagedResponse, SuccessResponse } from './http/responses.dto.js';
export { Idempotent } from './idempotency/idempotent.decorator.js';
export { noteRecordOfKey } from './idempotency/record-notes.js';
export { ApiSendErrors } from './sending/single/api-send-errors.js';

// Rows, and work beside requests.

export { violatedForeignKey, violatedUniqueConstraint } from './database/sql/constraint-violation.js';
export { ListOrder, NEWEST_FIRST, NEWEST_ID_FIRST } from './database/sql/list-order.js';
export { cutRows, type Positioned } from './database/sql/page-sql.js';
export { BackgroundUnitOfWork, type Database, type Tx, UnitOfWork } from './database/unit-of-work.js';
export { type DomainEvent, domainEvent } from './outbox/event.js';
export { Outbox } from './outbox/outbox.js';
export { type EnqueueOptions, JobQueue } from './queues/job-queue.js';
export { QueueProcessor, WORKER_OPTIONS } from './queues/queue.processor.js';
export { Sweep } from './queues/sweep.js';

// Services of the core.

export { AgentsService } from './agents/agents.service.js';
export { ConsentService } from './consent/consent.service.js';
export { contactNotFound } from './contacts/contacts.errors.js';
export { ContactsService } from './contacts/contacts.service.js';
export { ConversationReaderService } from './conversations/conversation-reader.service.js';
export { ConversationsService } from './conversations/conversations.service.js';
export { GroupsService } from './groups/groups.service.js';
export { MessageHistoryService } from './messages/history/message-history.service.js';
export type { SentMessage } from './messages/history/sent-message.js';
export { byNumber, byUserId, type ContactRef, refOf } from './people/contact-ref.js';
export type { FreeFormContent } from './sending/single/free-form-content.js';
export { type FreeFormSend, FreeFormSenderService } from './sending/single/free-form-sender.service.js';
export type { SendExtras } from './sending/single/send-extras.service.js';
export { type TemplateSend, TemplateSenderService } from './sending/single/template-sender.service.js';
export type { ButtonInput, SendingInput } from './templates/rendering/sending-input.js';
export { TemplateCatalogService } from './templates/rendering/template-catalog.service.js';

// Values.

export { DAY, HOUR, MINUTE, now, offsetTimestamp, SECOND } from './values/clock.js';
export { instantOf } from './values/local-time.js';
export { offsetOf, type Page, type Paged } from './values/page.js';
export type { PhoneNumber } from './values/phone-number.js';
export { isRecordId, newRecordId, type RecordId, timeOfRecordId } from './values/record-id.js';
export { type NumberReading, readNumber } from './values/written-number.js';
