/** What the tests of extensions import as `parley/testing`. */

export { openWindow, recordOf, sentUpstream } from '../messages/messages.js';
export { subscribe } from '../webhooks/events.js';
export { Receiver } from '../webhooks/receiver.js';
export { ApiClient } from './api-client.js';
export { emptyDatabase, freshDatabase } from './database.js';
export type {
  EventTrigger,
  ListWalk,
  ModuleRecords,
  PipelineStatement,
  RecordValues,
  TenantRecords,
} from './module-records.js';
export { approvedTemplate } from './templates.js';
export { until } from './until.js';
export { type TestAccount, uniqueDigits, uniquePhone, World, type WorldOptions } from './world.js';
