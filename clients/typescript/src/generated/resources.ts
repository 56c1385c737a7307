// Written by scripts/generate-client.mjs from docs/openapi.json. Do not edit by hand.

import { ApiCall } from '../api-call.js';
import { ApiList } from '../api-list.js';
import type { CsvDownload, CsvFile } from '../csv-file.js';
import type { AnswerOf, QueryOf } from '../operation-types.js';
import type { PostOptions, RequestOptions } from '../request-options.js';
import type { Transport } from '../transport.js';
import type {
  AgentListResponse,
  ApiKeysResponse,
  AssignConversationRequest,
  AssignmentStateResponse,
  AuditResponse,
  BusinessPhoneListResponse,
  CampaignActionResponse,
  CampaignListResponse,
  CampaignResponse,
  CampaignStatsResponse,
  ContactDeletedResponse,
  ContactExportResponse,
  ContactResponse,
  ContactsResponse,
  ConversationActionResponse,
  ConversationChoiceRequest,
  ConversationsResponse,
  CreateApiKeyRequest,
  CreateCampaignRequest,
  CreateCampaignResponse,
  CreateCarouselRequest,
  CreateContactRequest,
  CreateGroupRequest,
  CreateTemplateRequest,
  CreateTemplateResponse,
  CreateWebhookRequest,
  DeleteTemplateResponse,
  DeliveriesResponse,
  DeliveryActionResponse,
  GroupDeletedResponse,
  GroupFoundResponse,
  GroupMembersRequest,
  GroupMembersResponse,
  GroupResponse,
  GroupsResponse,
  ImportResponse,
  IssuedApiKeyResponse,
  MessageListResponse,
  MessageResponse,
  PreviewTemplateRequest,
  PreviewTemplateResponse,
  RecipientListResponse,
  ReplayRequest,
  ReplayResponse,
  ResolveConversationRequest,
  RevokedApiKeyResponse,
  RotateApiKeyRequest,
  RotateSecretRequest,
  RotateSecretResponse,
  SendCampaignResponse,
  SendFreeFormRequest,
  SendFreeFormResponse,
  SendTemplateRequest,
  SendTemplateResponse,
  SyncTemplatesResponse,
  TemplateListResponse,
  TemplateResponse,
  UpdateContactRequest,
  UpdateGroupRequest,
  UpdateWebhookRequest,
  WebhookActionResponse,
  WebhookDeletedResponse,
  WebhookResponse,
  WebhooksResponse,
} from './schema.js';

/** The people who answer. */
export class Agents {
  constructor(private readonly transport: Transport) {}

  /**
   * List the agents of the organisation: `GET /api/v1/agents`.
   *
   * Needs the scope `agents:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'agents.list'> = {}, options: RequestOptions = {}): ApiList<AgentListResponse, 'agents'> {
    return new ApiList('agents', query, (page) => this.transport.request<AgentListResponse>('agents.list', { query: page, options }));
  }
}

/** Keys of the account. */
export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  /**
   * List API keys, newest first: `GET /api/v1/api-keys`.
   *
   * Revoked and expired keys are listed too.
   *
   * Needs the scope `api_keys:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'apiKeys.list'> = {}, options: RequestOptions = {}): ApiList<ApiKeysResponse, 'api_keys'> {
    return new ApiList('api_keys', query, (page) => this.transport.request<ApiKeysResponse>('apiKeys.list', { query: page, options }));
  }

  /**
   * Create API key: `POST /api/v1/api-keys`.
   *
   * The key is shown once. It can do no more than the key that creates it, from no other network and for no longer.
   *
   * Needs the scope `api_keys:write`.
   *
   * @throws {@link ParleyError} 409: The account has as many working keys as it may have
   */
  create(body: CreateApiKeyRequest, options: PostOptions = {}): ApiCall<IssuedApiKeyResponse> {
    return new ApiCall(this.transport.request<IssuedApiKeyResponse>('apiKeys.create', { body, options }));
  }

  /**
   * Revoke API key: `DELETE /api/v1/api-keys/{key_id}`.
   *
   * It stops working within a second, on every process.
   *
   * Needs the scope `api_keys:write`.
   */
  revoke(keyId: string, options: RequestOptions = {}): ApiCall<RevokedApiKeyResponse> {
    return new ApiCall(this.transport.request<RevokedApiKeyResponse>('apiKeys.revoke', { path: [keyId], options }));
  }

  /**
   * Rotate API key: `POST /api/v1/api-keys/{key_id}/rotate`.
   *
   * Issues a successor with the same name, rights, rate limit and idempotency keys. The old key works for `overlap_seconds` more.
   *
   * Needs the scope `api_keys:write`.
   */
  rotate(keyId: string, body?: RotateApiKeyRequest, options: PostOptions = {}): ApiCall<IssuedApiKeyResponse> {
    return new ApiCall(this.transport.request<IssuedApiKeyResponse>('apiKeys.rotate', { path: [keyId], body, options }));
  }
}

/** Who changed what in the account. */
export class Audit {
  constructor(private readonly transport: Transport) {}

  /**
   * List the audit log, newest first: `GET /api/v1/audit`.
   *
   * Who changed webhooks, API keys, campaigns, agents, business phones and the account, and who erased contacts. What the service does by itself is there too: campaigns that start at their time, pause or fail, and webhooks it disables. An entry commits with its change, and names people by their ids only.
   *
   * Needs the scope `audit:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'audit.list'> = {}, options: RequestOptions = {}): ApiList<AuditResponse, 'audit_entries'> {
    return new ApiList('audit_entries', query, (page) => this.transport.request<AuditResponse>('audit.list', { query: page, options }));
  }
}

/** The numbers that you send from. */
export class BusinessPhones {
  constructor(private readonly transport: Transport) {}

  /**
   * List the business phones of the account, primary first: `GET /api/v1/business-phones`.
   *
   * Needs the scope `business_phones:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'businessPhones.list'> = {}, options: RequestOptions = {}): ApiList<BusinessPhoneListResponse, 'business_phones'> {
    return new ApiList('business_phones', query, (page) => this.transport.request<BusinessPhoneListResponse>('businessPhones.list', { query: page, options }));
  }
}

/** One template to many recipients. */
export class Campaigns {
  constructor(private readonly transport: Transport) {}

  /**
   * Create a campaign: `POST /api/v1/campaigns`.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 404: Some groups or the template are unknown; the message names them
   */
  create(body: CreateCampaignRequest, options: PostOptions = {}): ApiCall<CreateCampaignResponse> {
    return new ApiCall(this.transport.request<CreateCampaignResponse>('campaigns.create', { body, options }));
  }

  /**
   * List campaigns, newest first: `GET /api/v1/campaigns`.
   *
   * Needs the scope `campaigns:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'campaigns.list'> = {}, options: RequestOptions = {}): ApiList<CampaignListResponse, 'campaigns'> {
    return new ApiList('campaigns', query, (page) => this.transport.request<CampaignListResponse>('campaigns.list', { query: page, options }));
  }

  /**
   * Get a campaign: `GET /api/v1/campaigns/{campaign_id}`.
   *
   * Needs the scope `campaigns:read`.
   */
  get(campaignId: string, options: RequestOptions = {}): ApiCall<CampaignResponse> {
    return new ApiCall(this.transport.request<CampaignResponse>('campaigns.get', { path: [campaignId], options }));
  }

  /**
   * Cancel a campaign: `POST /api/v1/campaigns/{campaign_id}/cancel`.
   *
   * Cancels a draft, scheduled or running campaign permanently. Credits of unsent recipients are refunded.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 400: The campaign has already ended
   */
  cancel(campaignId: string, options: PostOptions = {}): ApiCall<CampaignActionResponse> {
    return new ApiCall(this.transport.request<CampaignActionResponse>('campaigns.cancel', { path: [campaignId], options }));
  }

  /**
   * Pause a running campaign: `POST /api/v1/campaigns/{campaign_id}/pause`.
   *
   * Its status stays `running`, and `paused` becomes true.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 400: The campaign is not running, or is already paused
   */
  pause(campaignId: string, options: PostOptions = {}): ApiCall<CampaignActionResponse> {
    return new ApiCall(this.transport.request<CampaignActionResponse>('campaigns.pause', { path: [campaignId], options }));
  }

  /**
   * List a campaign’s recipients: `GET /api/v1/campaigns/{campaign_id}/recipients`.
   *
   * In sending order.
   *
   * Needs the scope `campaigns:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  listRecipients(campaignId: string, query: QueryOf<'campaigns.listRecipients'> = {}, options: RequestOptions = {}): ApiList<RecipientListResponse, 'recipients'> {
    return new ApiList('recipients', query, (page) => this.transport.request<RecipientListResponse>('campaigns.listRecipients', { path: [campaignId], query: page, options }));
  }

  /**
   * Export a campaign’s recipients as CSV: `GET /api/v1/campaigns/{campaign_id}/recipients.csv`.
   *
   * Values that a spreadsheet would run as a formula are prefixed with an apostrophe.
   *
   * Needs the scope `campaigns:read`.
   */
  exportRecipients(campaignId: string, options: RequestOptions = {}): ApiCall<CsvDownload> {
    return new ApiCall(this.transport.download('campaigns.exportRecipients', { path: [campaignId], options }));
  }

  /**
   * Resume a paused or failed campaign: `POST /api/v1/campaigns/{campaign_id}/resume`.
   *
   * A failed campaign must pass the same checks as when it was sent, and its credits are reserved again.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 400: The campaign is neither paused nor failed, a check failed, or the wallet has too few credits
   */
  resume(campaignId: string, options: PostOptions = {}): ApiCall<CampaignActionResponse> {
    return new ApiCall(this.transport.request<CampaignActionResponse>('campaigns.resume', { path: [campaignId], options }));
  }

  /**
   * Retry failed recipients: `POST /api/v1/campaigns/{campaign_id}/retry-failed`.
   *
   * Runs a completed or failed campaign again for its `retryable` recipients. A failed campaign also continues with the recipients it had not reached. Credits are reserved for all of them.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 400: The campaign is neither completed nor failed, no recipient is retryable, a check failed, or the wallet has too few credits
   */
  retryFailed(campaignId: string, options: PostOptions = {}): ApiCall<CampaignActionResponse> {
    return new ApiCall(this.transport.request<CampaignActionResponse>('campaigns.retryFailed', { path: [campaignId], options }));
  }

  /**
   * Send a draft campaign: `POST /api/v1/campaigns/{campaign_id}/send`.
   *
   * Needs the scope `campaigns:write`.
   */
  send(campaignId: string, options: PostOptions = {}): ApiCall<SendCampaignResponse> {
    return new ApiCall(this.transport.request<SendCampaignResponse>('campaigns.send', { path: [campaignId], options }));
  }

  /**
   * Get a campaign’s statistics: `GET /api/v1/campaigns/{campaign_id}/stats`.
   *
   * Needs the scope `campaigns:read`.
   */
  stats(campaignId: string, options: RequestOptions = {}): ApiCall<CampaignStatsResponse> {
    return new ApiCall(this.transport.request<CampaignStatsResponse>('campaigns.stats', { path: [campaignId], options }));
  }
}

/** The people that you write to. */
export class Contacts {
  constructor(private readonly transport: Transport) {}

  /**
   * List contacts: `GET /api/v1/contacts`.
   *
   * `search` matches name, phone or email by substring.
   *
   * Needs the scope `contacts:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'contacts.list'> = {}, options: RequestOptions = {}): ApiList<ContactsResponse, 'contacts'> {
    return new ApiList('contacts', query, (page) => this.transport.request<ContactsResponse>('contacts.list', { query: page, options }));
  }

  /**
   * Create contact: `POST /api/v1/contacts`.
   *
   * Restores the deleted contact that has this number, if there is one.
   *
   * Needs the scope `contacts:write`.
   *
   * @throws {@link ParleyError} 409: A contact with this number exists; the message names it
   */
  create(body: CreateContactRequest, options: PostOptions = {}): ApiCall<ContactResponse> {
    return new ApiCall(this.transport.request<ContactResponse>('contacts.create', { body, options }));
  }

  /**
   * Export contacts as CSV: `GET /api/v1/contacts/export`.
   *
   * The file can be imported again. Text that a spreadsheet would run as a formula gets a leading apostrophe; an import removes it.
   *
   * Needs the scope `contacts:read`.
   */
  export(options: RequestOptions = {}): ApiCall<CsvDownload> {
    return new ApiCall(this.transport.download('contacts.export', { options }));
  }

  /**
   * Import contacts from CSV: `POST /api/v1/contacts/import`.
   *
   * Columns are the contact’s field names; line 1 is the header. An empty cell leaves the value unchanged. Invalid rows are reported by line; a malformed file changes nothing. At most 100,000 rows and 64 MiB. Files of one account are imported one at a time; a file that has waited 30 seconds gets 503, and so does the fifth of an account at once. An upload may take ten minutes.
   *
   * Needs the scope `contacts:write`.
   *
   * @throws {@link ParleyError} 400: The file is malformed; nothing was changed
   * @throws {@link ParleyError} 503: Other files are being received or imported; nothing was changed
   */
  import(csv: CsvFile, options: PostOptions = {}): ApiCall<ImportResponse> {
    return new ApiCall(this.transport.request<ImportResponse>('contacts.import', { body: csv, options }));
  }

  /**
   * Get contact: `GET /api/v1/contacts/{contact_id}`.
   *
   * Needs the scope `contacts:read`.
   */
  get(contactId: string, options: RequestOptions = {}): ApiCall<ContactResponse> {
    return new ApiCall(this.transport.request<ContactResponse>('contacts.get', { path: [contactId], options }));
  }

  /**
   * Change contact: `PATCH /api/v1/contacts/{contact_id}`.
   *
   * Absent fields stay unchanged; null clears an optional field.
   *
   * Needs the scope `contacts:write`.
   *
   * @throws {@link ParleyError} 409: Another contact has this number; the message names it
   */
  change(contactId: string, body?: UpdateContactRequest, options: RequestOptions = {}): ApiCall<ContactResponse> {
    return new ApiCall(this.transport.request<ContactResponse>('contacts.change', { path: [contactId], body, options }));
  }

  /**
   * Delete contact: `DELETE /api/v1/contacts/{contact_id}`.
   *
   * Deactivates the contact and keeps its data. With `erase=true`, its name, number, email, company and the contents of all its messages are hidden immediately and removed from every table within 15 minutes. Counts and opt-outs stay.
   *
   * Needs the scope `contacts:write`.
   */
  delete(contactId: string, query: QueryOf<'contacts.delete'> = {}, options: RequestOptions = {}): ApiCall<ContactDeletedResponse> {
    return new ApiCall(this.transport.request<ContactDeletedResponse>('contacts.delete', { path: [contactId], query, options }));
  }

  /**
   * Export everything about one contact: `GET /api/v1/contacts/{contact_id}/export`.
   *
   * Returns all rows about the contact as they are stored, including deleted ones and those of merged contacts. The key needs the scopes contacts:read, groups:read, conversations:read, messages:read, campaigns:read, webhooks:read.
   *
   * Needs the scopes `contacts:read`, `groups:read`, `conversations:read`, `messages:read`, `campaigns:read`, `webhooks:read`.
   */
  exportContact(contactId: string, options: RequestOptions = {}): ApiCall<ContactExportResponse> {
    return new ApiCall(this.transport.request<ContactExportResponse>('contacts.exportContact', { path: [contactId], options }));
  }
}

/** Conversations with contacts, and the agents assigned to them. */
export class Conversations {
  constructor(private readonly transport: Transport) {}

  /**
   * List conversations: `GET /api/v1/conversations`.
   *
   * The most recently active come first.
   *
   * Needs the scope `conversations:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'conversations.list'> = {}, options: RequestOptions = {}): ApiList<ConversationsResponse, 'conversations'> {
    return new ApiList('conversations', query, (page) => this.transport.request<ConversationsResponse>('conversations.list', { query: page, options }));
  }

  /**
   * Assign conversation: `POST /api/v1/conversations/{contact_phone}/assign`.
   *
   * Emits `conversation.assigned`.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 400: Resolved conversation, invalid field, no business number, no organisation
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   * @throws {@link ParleyError} 404: `user_id` is not an active member of the organisation
   * @throws {@link ParleyError} 422: `user_id` is missing
   */
  assign(contactPhone: string, body: AssignConversationRequest, options: PostOptions = {}): ApiCall<ConversationActionResponse> {
    return new ApiCall(this.transport.request<ConversationActionResponse>('conversations.assign', { path: [contactPhone], body, options }));
  }

  /**
   * Get assignment state: `GET /api/v1/conversations/{contact_phone}/assignment`.
   *
   * Never returns 404: `has_conversation` says whether the conversation exists.
   *
   * Needs the scope `conversations:read`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   */
  assignment(contactPhone: string, query: QueryOf<'conversations.assignment'> = {}, options: RequestOptions = {}): ApiCall<AssignmentStateResponse> {
    return new ApiCall(this.transport.request<AssignmentStateResponse>('conversations.assignment', { path: [contactPhone], query, options }));
  }

  /**
   * List the messages of a conversation: `GET /api/v1/conversations/{contact_phone}/messages`.
   *
   * Needs the scope `conversations:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  listMessages(contactPhone: string, query: QueryOf<'conversations.listMessages'> = {}, options: RequestOptions = {}): ApiList<MessageListResponse, 'messages'> {
    return new ApiList('messages', query, (page) => this.transport.request<MessageListResponse>('conversations.listMessages', { path: [contactPhone], query: page, options }));
  }

  /**
   * Reopen conversation: `POST /api/v1/conversations/{contact_phone}/reopen`.
   *
   * Idempotent. Emits `conversation.reopened`.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   */
  reopen(contactPhone: string, body?: ConversationChoiceRequest, options: PostOptions = {}): ApiCall<ConversationActionResponse> {
    return new ApiCall(this.transport.request<ConversationActionResponse>('conversations.reopen', { path: [contactPhone], body, options }));
  }

  /**
   * Resolve conversation: `POST /api/v1/conversations/{contact_phone}/resolve`.
   *
   * Idempotent. Emits `conversation.resolved`.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   */
  resolve(contactPhone: string, body?: ResolveConversationRequest, options: PostOptions = {}): ApiCall<ConversationActionResponse> {
    return new ApiCall(this.transport.request<ConversationActionResponse>('conversations.resolve', { path: [contactPhone], body, options }));
  }

  /**
   * Unassign conversation: `POST /api/v1/conversations/{contact_phone}/unassign`.
   *
   * Idempotent. Emits `conversation.unassigned`.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   */
  unassign(contactPhone: string, body?: ConversationChoiceRequest, options: PostOptions = {}): ApiCall<ConversationActionResponse> {
    return new ApiCall(this.transport.request<ConversationActionResponse>('conversations.unassign', { path: [contactPhone], body, options }));
  }
}

/** Named sets of contacts. */
export class Groups {
  constructor(private readonly transport: Transport) {}

  /**
   * List groups: `GET /api/v1/groups`.
   *
   * `search` matches the name by substring.
   *
   * Needs the scope `groups:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'groups.list'> = {}, options: RequestOptions = {}): ApiList<GroupsResponse, 'groups'> {
    return new ApiList('groups', query, (page) => this.transport.request<GroupsResponse>('groups.list', { query: page, options }));
  }

  /**
   * Create group: `POST /api/v1/groups`.
   *
   * Needs the scope `groups:write`.
   *
   * @throws {@link ParleyError} 404: Some `contact_ids` are unknown; the message names them
   * @throws {@link ParleyError} 409: A group with this name exists
   */
  create(body: CreateGroupRequest, options: PostOptions = {}): ApiCall<GroupResponse> {
    return new ApiCall(this.transport.request<GroupResponse>('groups.create', { body, options }));
  }

  /**
   * Get group: `GET /api/v1/groups/{group_id}`.
   *
   * Needs the scope `groups:read`.
   */
  get(groupId: string, options: RequestOptions = {}): ApiCall<GroupFoundResponse> {
    return new ApiCall(this.transport.request<GroupFoundResponse>('groups.get', { path: [groupId], options }));
  }

  /**
   * Change group: `PATCH /api/v1/groups/{group_id}`.
   *
   * Absent fields stay unchanged; null clears an optional field.
   *
   * Needs the scope `groups:write`.
   *
   * @throws {@link ParleyError} 409: Another group has this name
   */
  change(groupId: string, body?: UpdateGroupRequest, options: RequestOptions = {}): ApiCall<GroupResponse> {
    return new ApiCall(this.transport.request<GroupResponse>('groups.change', { path: [groupId], body, options }));
  }

  /**
   * Delete group: `DELETE /api/v1/groups/{group_id}`.
   *
   * The contacts are kept.
   *
   * Needs the scope `groups:write`.
   */
  delete(groupId: string, options: RequestOptions = {}): ApiCall<GroupDeletedResponse> {
    return new ApiCall(this.transport.request<GroupDeletedResponse>('groups.delete', { path: [groupId], options }));
  }

  /**
   * List the contacts of a group: `GET /api/v1/groups/{group_id}/contacts`.
   *
   * The contacts added last come first.
   *
   * Needs the scope `groups:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  listContacts(groupId: string, query: QueryOf<'groups.listContacts'> = {}, options: RequestOptions = {}): ApiList<ContactsResponse, 'contacts'> {
    return new ApiList('contacts', query, (page) => this.transport.request<ContactsResponse>('groups.listContacts', { path: [groupId], query: page, options }));
  }

  /**
   * Add contacts to group: `POST /api/v1/groups/{group_id}/contacts`.
   *
   * Contacts already in the group are skipped.
   *
   * Needs the scope `groups:write`.
   *
   * @throws {@link ParleyError} 404: The group or some contacts are unknown; the message names them
   */
  addContacts(groupId: string, body: GroupMembersRequest, options: PostOptions = {}): ApiCall<GroupMembersResponse> {
    return new ApiCall(this.transport.request<GroupMembersResponse>('groups.addContacts', { path: [groupId], body, options }));
  }

  /**
   * Remove contacts from group: `DELETE /api/v1/groups/{group_id}/contacts`.
   *
   * The contacts themselves are kept.
   *
   * Needs the scope `groups:write`.
   *
   * @throws {@link ParleyError} 404: The group or some contacts are unknown; the message names them
   */
  removeContacts(groupId: string, body: GroupMembersRequest, options: RequestOptions = {}): ApiCall<GroupMembersResponse> {
    return new ApiCall(this.transport.request<GroupMembersResponse>('groups.removeContacts', { path: [groupId], body, options }));
  }
}

/** Single messages, and the history of all. */
export class Messages {
  constructor(private readonly transport: Transport) {}

  /**
   * List messages, newest first: `GET /api/v1/messages`.
   *
   * Needs the scope `messages:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'messages.list'> = {}, options: RequestOptions = {}): ApiList<MessageListResponse, 'messages'> {
    return new ApiList('messages', query, (page) => this.transport.request<MessageListResponse>('messages.list', { query: page, options }));
  }

  /**
   * Send a template message: `POST /api/v1/messages/send`.
   *
   * Needs the scope `messages:write`.
   *
   * @throws {@link ParleyError} 400: A field is wrong, the contact has opted out, or the network refused the message
   * @throws {@link ParleyError} 404: The account has no such template
   * @throws {@link ParleyError} 503: The message was not sent: try again after `Retry-After`
   * @throws {@link ParleyError} 504: The network’s answer was lost: the message may have been sent, so do not send it again
   */
  send(body: SendTemplateRequest, options: PostOptions = {}): ApiCall<SendTemplateResponse> {
    return new ApiCall(this.transport.request<SendTemplateResponse>('messages.send', { body, options }));
  }

  /**
   * Send a free-form message inside the 24-hour service window: `POST /api/v1/messages/send-message`.
   *
   * Needs the scope `messages:write`.
   *
   * @throws {@link ParleyError} 400: A field is wrong, the contact has opted out, or the network refused the message
   * @throws {@link ParleyError} 403: The service window is closed, or the business phone is not one of the account’s: `{detail}`
   * @throws {@link ParleyError} 503: The message was not sent: try again after `Retry-After`
   * @throws {@link ParleyError} 504: The network’s answer was lost: the message may have been sent, so do not send it again
   */
  sendMessage(body: SendFreeFormRequest, options: PostOptions = {}): ApiCall<SendFreeFormResponse> {
    return new ApiCall(this.transport.request<SendFreeFormResponse>('messages.sendMessage', { body, options }));
  }

  /**
   * Get a message with its timeline: `GET /api/v1/messages/{message_id}`.
   *
   * Needs the scope `messages:read`.
   */
  get(messageId: string, options: RequestOptions = {}): ApiCall<MessageResponse> {
    return new ApiCall(this.transport.request<MessageResponse>('messages.get', { path: [messageId], options }));
  }
}

/** Message templates and their review by the network. */
export class Templates {
  constructor(private readonly transport: Transport) {}

  /**
   * List templates with the latest review decisions: `GET /api/v1/templates`.
   *
   * Needs the scope `templates:read`.
   */
  list(query: QueryOf<'templates.list'> = {}, options: RequestOptions = {}): ApiCall<TemplateListResponse> {
    return new ApiCall(this.transport.request<TemplateListResponse>('templates.list', { query, options }));
  }

  /**
   * Create a template and submit it for review: `POST /api/v1/templates/create`.
   *
   * Example media are fetched from `media_url` while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 400: A field has the wrong type, or the network refused the template
   * @throws {@link ParleyError} 422: A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body
   * @throws {@link ParleyError} 504: The network did not answer: it may have done what was asked, or not
   */
  create(body: CreateTemplateRequest, options: PostOptions = {}): ApiCall<CreateTemplateResponse> {
    return new ApiCall(this.transport.request<CreateTemplateResponse>('templates.create', { body, options }));
  }

  /**
   * Create a carousel template and submit it for review: `POST /api/v1/templates/create-carousel`.
   *
   * Example media are fetched from `media_url` while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 400: A field has the wrong type, or the network refused the template
   * @throws {@link ParleyError} 422: A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body
   * @throws {@link ParleyError} 504: The network did not answer: it may have done what was asked, or not
   */
  createCarousel(body: CreateCarouselRequest, options: PostOptions = {}): ApiCall<CreateTemplateResponse> {
    return new ApiCall(this.transport.request<CreateTemplateResponse>('templates.createCarousel', { body, options }));
  }

  /**
   * Preview a message and list the fields it still needs: `POST /api/v1/templates/preview`.
   *
   * Needs the scope `templates:read`.
   *
   * @throws {@link ParleyError} 404: The account has no such template
   */
  preview(body: PreviewTemplateRequest, options: PostOptions = {}): ApiCall<PreviewTemplateResponse> {
    return new ApiCall(this.transport.request<PreviewTemplateResponse>('templates.preview', { body, options }));
  }

  /**
   * Synchronise templates with the network: `POST /api/v1/templates/sync`.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 504: The network did not answer: it may have done what was asked, or not
   */
  sync(options: PostOptions = {}): ApiCall<SyncTemplatesResponse> {
    return new ApiCall(this.transport.request<SyncTemplatesResponse>('templates.sync', { options }));
  }

  /**
   * Get a template: `GET /api/v1/templates/{template_id}`.
   *
   * Needs the scope `templates:read`.
   */
  get(templateId: string, options: RequestOptions = {}): ApiCall<TemplateResponse> {
    return new ApiCall(this.transport.request<TemplateResponse>('templates.get', { path: [templateId], options }));
  }

  /**
   * Delete a template here and on the network: `DELETE /api/v1/templates/{template_id}`.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 504: The network did not answer: it may have done what was asked, or not
   */
  delete(templateId: string, options: RequestOptions = {}): ApiCall<DeleteTemplateResponse> {
    return new ApiCall(this.transport.request<DeleteTemplateResponse>('templates.delete', { path: [templateId], options }));
  }
}

/** Endpoints that receive events. */
export class Webhooks {
  constructor(private readonly transport: Transport) {}

  /**
   * List webhook endpoints, newest first: `GET /api/v1/webhooks`.
   *
   * Needs the scope `webhooks:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'webhooks.list'> = {}, options: RequestOptions = {}): ApiList<WebhooksResponse, 'webhooks'> {
    return new ApiList('webhooks', query, (page) => this.transport.request<WebhooksResponse>('webhooks.list', { query: page, options }));
  }

  /**
   * Register a webhook endpoint: `POST /api/v1/webhooks`.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: The account has the maximum number of webhooks, or one with this URL
   */
  create(body: CreateWebhookRequest, options: PostOptions = {}): ApiCall<WebhookActionResponse> {
    return new ApiCall(this.transport.request<WebhookActionResponse>('webhooks.create', { body, options }));
  }

  /**
   * Get a webhook endpoint and its statistics for the last hour: `GET /api/v1/webhooks/{webhook_id}`.
   *
   * Needs the scope `webhooks:read`.
   */
  get(webhookId: string, options: RequestOptions = {}): ApiCall<WebhookResponse> {
    return new ApiCall(this.transport.request<WebhookResponse>('webhooks.get', { path: [webhookId], options }));
  }

  /**
   * Update, disable or enable a webhook endpoint: `PATCH /api/v1/webhooks/{webhook_id}`.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: Another webhook of the account has this URL
   */
  change(webhookId: string, body?: UpdateWebhookRequest, options: RequestOptions = {}): ApiCall<WebhookActionResponse> {
    return new ApiCall(this.transport.request<WebhookActionResponse>('webhooks.change', { path: [webhookId], body, options }));
  }

  /**
   * Delete a webhook endpoint and its pending deliveries: `DELETE /api/v1/webhooks/{webhook_id}`.
   *
   * Needs the scope `webhooks:write`.
   */
  delete(webhookId: string, options: RequestOptions = {}): ApiCall<WebhookDeletedResponse> {
    return new ApiCall(this.transport.request<WebhookDeletedResponse>('webhooks.delete', { path: [webhookId], options }));
  }

  /**
   * List an endpoint’s deliveries with their attempts, newest first: `GET /api/v1/webhooks/{webhook_id}/deliveries`.
   *
   * Needs the scope `webhooks:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  listDeliveries(webhookId: string, query: QueryOf<'webhooks.listDeliveries'> = {}, options: RequestOptions = {}): ApiList<DeliveriesResponse, 'deliveries'> {
    return new ApiList('deliveries', query, (page) => this.transport.request<DeliveriesResponse>('webhooks.listDeliveries', { path: [webhookId], query: page, options }));
  }

  /**
   * Redeliver an event: `POST /api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`.
   *
   * Sends the same bytes with the same `webhook-id` again, with all retries. New attempts are added to the existing ones.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: The delivery is still pending, its event is past its retention, or the endpoint is disabled
   */
  redeliver(webhookId: string, deliveryId: string, options: PostOptions = {}): ApiCall<DeliveryActionResponse> {
    return new ApiCall(this.transport.request<DeliveryActionResponse>('webhooks.redeliver', { path: [webhookId, deliveryId], options }));
  }

  /**
   * Replay past events: `POST /api/v1/webhooks/{webhook_id}/replay`.
   *
   * Delivers every event from `since` until now again, whether it was delivered or not, oldest first and with its original `webhook-id`. The replay runs in the background alongside new events; `GET /api/v1/webhooks/{webhook_id}` shows its progress. An endpoint has one replay at a time. While the endpoint is disabled, its replay is paused.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 400: `since` is in the future, or before the retention period of events
   * @throws {@link ParleyError} 409: A replay is already running, or the endpoint is disabled
   */
  replay(webhookId: string, body: ReplayRequest, options: PostOptions = {}): ApiCall<ReplayResponse> {
    return new ApiCall(this.transport.request<ReplayResponse>('webhooks.replay', { path: [webhookId], body, options }));
  }

  /**
   * Rotate a webhook endpoint’s secret: `POST /api/v1/webhooks/{webhook_id}/rotate-secret`.
   *
   * From the next attempt on, `X-Webhook-Signature` uses the new secret. For 24 hours, `webhook-signature` has a signature with each secret, the new and the previous one, unless the secret is replaced again.
   *
   * Needs the scope `webhooks:write`.
   */
  rotateSecret(webhookId: string, body?: RotateSecretRequest, options: PostOptions = {}): ApiCall<RotateSecretResponse> {
    return new ApiCall(this.transport.request<RotateSecretResponse>('webhooks.rotateSecret', { path: [webhookId], body, options }));
  }

  /**
   * Send a test event to a webhook endpoint: `POST /api/v1/webhooks/{webhook_id}/test`.
   *
   * Sends `{"event": "webhook.test", "timestamp": …}` like any other event: signed, retried and listed among the deliveries. It goes only to this endpoint, whatever it is subscribed to.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: The endpoint is disabled
   */
  test(webhookId: string, options: PostOptions = {}): ApiCall<DeliveryActionResponse> {
    return new ApiCall(this.transport.request<DeliveryActionResponse>('webhooks.test', { path: [webhookId], options }));
  }
}

/** For orchestrators. */
export class Health {
  constructor(private readonly transport: Transport) {}

  /**
   * Whether the process is alive: `GET /health/live`.
   */
  live(options: RequestOptions = {}): ApiCall<AnswerOf<'health.live'>> {
    return new ApiCall(this.transport.request<AnswerOf<'health.live'>>('health.live', { options }));
  }

  /**
   * Whether requests can be answered: `GET /health/ready`.
   *
   * @throws {@link ParleyError} 503: The database cannot be used, or the process is stopping
   */
  ready(options: RequestOptions = {}): ApiCall<AnswerOf<'health.ready'>> {
    return new ApiCall(this.transport.request<AnswerOf<'health.ready'>>('health.ready', { options }));
  }
}

/** Every group of operations. */
export class Resources {
  readonly agents: Agents;
  readonly apiKeys: ApiKeys;
  readonly audit: Audit;
  readonly businessPhones: BusinessPhones;
  readonly campaigns: Campaigns;
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly groups: Groups;
  readonly messages: Messages;
  readonly templates: Templates;
  readonly webhooks: Webhooks;
  readonly health: Health;

  constructor(transport: Transport) {
    this.agents = new Agents(transport);
    this.apiKeys = new ApiKeys(transport);
    this.audit = new Audit(transport);
    this.businessPhones = new BusinessPhones(transport);
    this.campaigns = new Campaigns(transport);
    this.contacts = new Contacts(transport);
    this.conversations = new Conversations(transport);
    this.groups = new Groups(transport);
    this.messages = new Messages(transport);
    this.templates = new Templates(transport);
    this.webhooks = new Webhooks(transport);
    this.health = new Health(transport);
  }
}
