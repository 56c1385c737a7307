// Written by scripts/generate-client.mjs from docs/openapi.json. Do not edit by hand.

import { ApiCall } from '../api-call.js';
import { ApiList } from '../api-list.js';
import type { CsvDownload, CsvFile } from '../csv-file.js';
import type { FileDownload } from '../file-download.js';
import type { MediaFile } from '../media-file.js';
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
  CampaignProgressResponse,
  CampaignResponse,
  CampaignStatsResponse,
  ChangePasswordRequest,
  ChangePhoneRequest,
  ConnectPhoneRequest,
  ConnectPhoneResponse,
  ContactConsentResponse,
  ContactDeletedResponse,
  ContactExportResponse,
  ContactResponse,
  ContactsResponse,
  ConversationActionResponse,
  ConversationChoiceRequest,
  ConversationResponse,
  ConversationsResponse,
  CreateApiKeyRequest,
  CreateCampaignRequest,
  CreateCampaignResponse,
  CreateCarouselRequest,
  CreateContactRequest,
  CreateGroupRequest,
  CreateNoteRequest,
  CreateSavedReplyRequest,
  CreateTemplateRequest,
  CreateTemplateResponse,
  CreateWebhookRequest,
  DeleteTemplateResponse,
  DeliveriesResponse,
  DeliveryActionResponse,
  FailureListResponse,
  GroupDeletedResponse,
  GroupFoundResponse,
  GroupMembersRequest,
  GroupMembersResponse,
  GroupResponse,
  GroupsResponse,
  ImportResponse,
  IssuedApiKeyResponse,
  MarkReadRequest,
  MarkReadResponse,
  MessageListResponse,
  MessageResponse,
  NoteResponse,
  PhoneHealthResponse,
  PreviewTemplateRequest,
  PreviewTemplateResponse,
  RecipientListResponse,
  RemovedPhoneResponse,
  ReplayRequest,
  ReplayResponse,
  ResolveConversationRequest,
  RetryFailedRequest,
  RevokedApiKeyResponse,
  RotateApiKeyRequest,
  RotateSecretRequest,
  RotateSecretResponse,
  SavedRepliesResponse,
  SavedReplyDeletedResponse,
  SavedReplyFoundResponse,
  SavedReplyResponse,
  SendCampaignResponse,
  SendFreeFormRequest,
  SendFreeFormResponse,
  SendTemplateRequest,
  SendTemplateResponse,
  SessionResponse,
  SessionsResponse,
  SignInRequest,
  SuccessResponse,
  SyncTemplatesResponse,
  TemplateListResponse,
  TemplateResponse,
  TimelineResponse,
  UpdateContactRequest,
  UpdateGroupRequest,
  UpdateSavedReplyRequest,
  UpdateWebhookRequest,
  UploadResponse,
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
   * It stops working within a second, on every process. The calling key needs every scope of the key that it revokes.
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
   * List the business phones of the account, primary first; with `cursor` oldest first: `GET /api/v1/business-phones`.
   *
   * Needs the scope `business_phones:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'businessPhones.list'> = {}, options: RequestOptions = {}): ApiList<BusinessPhoneListResponse, 'business_phones'> {
    return new ApiList('business_phones', query, (page) => this.transport.request<BusinessPhoneListResponse>('businessPhones.list', { query: page, options }));
  }

  /**
   * Connect a business phone: `POST /api/v1/business-phones/connect`.
   *
   * Checks the token, its rights and the ids at Meta, registers the number if a `pin` is given, subscribes the app, and compares callback URL and fields. Stores the phone only if no check has failed: 201. A number that the account has or had keeps its `waba_phone_id`.
   *
   * Needs the scope `business_phones:write`.
   *
   * @throws {@link ParleyError} 409: The phone or its business account belongs to another account
   */
  connect(body: ConnectPhoneRequest, options: PostOptions = {}): ApiCall<ConnectPhoneResponse> {
    return new ApiCall(this.transport.request<ConnectPhoneResponse>('businessPhones.connect', { body, options }));
  }

  /**
   * Correct the ids of a business phone: `PATCH /api/v1/business-phones/{waba_phone_id}`.
   *
   * Makes all checks again, and changes nothing if one has failed.
   *
   * Needs the scope `business_phones:write`.
   *
   * @throws {@link ParleyError} 404: There is no such business phone
   * @throws {@link ParleyError} 409: The phone or its business account belongs to another account
   */
  change(wabaPhoneId: string, body?: ChangePhoneRequest, options: RequestOptions = {}): ApiCall<ConnectPhoneResponse> {
    return new ApiCall(this.transport.request<ConnectPhoneResponse>('businessPhones.change', { path: [wabaPhoneId], body, options }));
  }

  /**
   * Remove a business phone: `DELETE /api/v1/business-phones/{waba_phone_id}`.
   *
   * Nothing can be sent from it any more (403), and its `phone_number_id` is free. Messages and conversations stay.
   *
   * Needs the scope `business_phones:write`.
   *
   * @throws {@link ParleyError} 404: There is no such business phone
   * @throws {@link ParleyError} 409: Campaigns of the phone run or are scheduled
   */
  remove(wabaPhoneId: string, options: RequestOptions = {}): ApiCall<RemovedPhoneResponse> {
    return new ApiCall(this.transport.request<RemovedPhoneResponse>('businessPhones.remove', { path: [wabaPhoneId], options }));
  }

  /**
   * Check a business phone: `GET /api/v1/business-phones/{waba_phone_id}/health`.
   *
   * The checks of connect, and whether reports come. They are at most a minute old.
   *
   * Needs the scope `business_phones:read`.
   *
   * @throws {@link ParleyError} 404: There is no such business phone
   */
  check(wabaPhoneId: string, options: RequestOptions = {}): ApiCall<PhoneHealthResponse> {
    return new ApiCall(this.transport.request<PhoneHealthResponse>('businessPhones.check', { path: [wabaPhoneId], options }));
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
   * Count a campaign’s failed recipients by reason: `GET /api/v1/campaigns/{campaign_id}/failures`.
   *
   * The most frequent reason first, with what to do about it.
   *
   * Needs the scope `campaigns:read`.
   */
  listFailures(campaignId: string, options: RequestOptions = {}): ApiCall<FailureListResponse> {
    return new ApiCall(this.transport.request<FailureListResponse>('campaigns.listFailures', { path: [campaignId], options }));
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
   * Show how fast a campaign was sent: `GET /api/v1/campaigns/{campaign_id}/progress`.
   *
   * How many of its messages the network accepted in each interval, from the first acceptance to the last one, or to now while it runs. A recipient who was retried has several messages.
   *
   * Needs the scope `campaigns:read`.
   */
  showProgress(campaignId: string, options: RequestOptions = {}): ApiCall<CampaignProgressResponse> {
    return new ApiCall(this.transport.request<CampaignProgressResponse>('campaigns.showProgress', { path: [campaignId], options }));
  }

  /**
   * List a campaign’s recipients: `GET /api/v1/campaigns/{campaign_id}/recipients`.
   *
   * In sending order, unless `order` says otherwise. Filters can be combined. Each counter of the campaign equals the `total` of a list: `sent_count` that of `reached=sent`, `failed_count` that of `status=failed`.
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
   * The file begins with a byte order mark. Values that a spreadsheet would run as a formula are prefixed with an apostrophe.
   *
   * Needs the scope `campaigns:read`.
   */
  exportRecipients(campaignId: string, query: QueryOf<'campaigns.exportRecipients'> = {}, options: RequestOptions = {}): ApiCall<CsvDownload> {
    return new ApiCall(this.transport.download('campaigns.exportRecipients', { path: [campaignId], query, options }));
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
   * Runs a completed or failed campaign again for its `retryable` recipients. A failed campaign also continues with the recipients it had not reached. Credits are reserved for all of them. Recipients of an AUTHENTICATION template cannot be retried, because one-time codes are not kept. Who failed with 131049 (too much marketing) is retried only with `include`, once, and not before 24 hours have passed: the network punishes more.
   *
   * Needs the scope `campaigns:write`.
   *
   * @throws {@link ParleyError} 400: The campaign is neither completed nor failed, no recipient is retryable, `error_codes` names a code that is not, a check failed, or the wallet has too few credits
   */
  retryFailed(campaignId: string, body?: RetryFailedRequest, options: PostOptions = {}): ApiCall<CampaignActionResponse> {
    return new ApiCall(this.transport.request<CampaignActionResponse>('campaigns.retryFailed', { path: [campaignId], body, options }));
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
   * `search` matches any part of the name (first and last), phone number, email, username or user id. Case, accents, invisible marks and the number of blanks make no difference: `muller` finds Müller. Nor does the punctuation of a number, or the 0 of a national one: `+49 151 777`, `(0151) 777` and `0049-151777` all find 4915177712345. Where numbers have two spellings, as 525512345678 and 5215512345678 in Mexico, both are found.
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
   * The file begins with a byte order mark, and can be imported again. Text that a spreadsheet would run as a formula gets a leading apostrophe; an import removes it.
   *
   * Needs the scope `contacts:read`.
   */
  export(query: QueryOf<'contacts.export'> = {}, options: RequestOptions = {}): ApiCall<CsvDownload> {
    return new ApiCall(this.transport.download('contacts.export', { query, options }));
  }

  /**
   * Import contacts from CSV: `POST /api/v1/contacts/import`.
   *
   * Columns are the contact’s field names, in a header; its line is 1. An empty cell leaves the value unchanged, and so do cells missing at the end of a row. Numbers may be written in any common way. The file may be in UTF-8, UTF-16 or Windows-1252, with commas, semicolons, tabs or `|` between cells, or what a first line `sep=` says. Rows that are invalid, or no CSV, are reported by line; a file without a header that can be read changes nothing. At most 100,000 rows and 64 MiB. Files of one account are imported one at a time; a file that has waited 30 seconds gets 503, and so does the fifth of an account at once. An upload may take ten minutes.
   *
   * Needs the scope `contacts:write`.
   *
   * @throws {@link ParleyError} 400: The file is no CSV, or its header cannot be read; nothing was changed
   * @throws {@link ParleyError} 503: Other files are being received or imported; nothing was changed
   */
  import(csv: CsvFile, query: QueryOf<'contacts.import'> = {}, options: PostOptions = {}): ApiCall<ImportResponse> {
    return new ApiCall(this.transport.request<ImportResponse>('contacts.import', { body: csv, query, options }));
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
   * Absent fields stay unchanged; null clears an optional field. If a deleted contact has the new number, its history moves to this one.
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
   * List the decisions behind opted_in: `GET /api/v1/contacts/{contact_id}/consent`.
   *
   * Who opted the contact in or out, when, and the evidence. A decision that repeats the one in force adds nothing; nobody has decided about a contact without entries, and it is opted in.
   *
   * Needs the scope `contacts:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  consentOf(contactId: string, query: QueryOf<'contacts.consentOf'> = {}, options: RequestOptions = {}): ApiList<ContactConsentResponse, 'consent'> {
    return new ApiList('consent', query, (page) => this.transport.request<ContactConsentResponse>('contacts.consentOf', { path: [contactId], query: page, options }));
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
   * The most recently active come first, unless `order` says otherwise.
   *
   * Needs the scope `conversations:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   */
  list(query: QueryOf<'conversations.list'> = {}, options: RequestOptions = {}): ApiList<ConversationsResponse, 'conversations'> {
    return new ApiList('conversations', query, (page) => this.transport.request<ConversationsResponse>('conversations.list', { query: page, options }));
  }

  /**
   * Get conversation: `GET /api/v1/conversations/{contact_phone}`.
   *
   * Needs the scope `conversations:read`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   * @throws {@link ParleyError} 404: There is no such conversation
   */
  get(contactPhone: string, query: QueryOf<'conversations.get'> = {}, options: RequestOptions = {}): ApiCall<ConversationResponse> {
    return new ApiCall(this.transport.request<ConversationResponse>('conversations.get', { path: [contactPhone], query, options }));
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
   * @throws {@link ParleyError} 409: With `only_if_unassigned`: another agent has the conversation; the message names them
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
   * Reactions are no entries: they are in `reactions` of the message that they are put on.
   *
   * Needs the scope `conversations:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  listMessages(contactPhone: string, query: QueryOf<'conversations.listMessages'> = {}, options: RequestOptions = {}): ApiList<MessageListResponse, 'messages'> {
    return new ApiList('messages', query, (page) => this.transport.request<MessageListResponse>('conversations.listMessages', { path: [contactPhone], query: page, options }));
  }

  /**
   * Add note to conversation: `POST /api/v1/conversations/{contact_phone}/notes`.
   *
   * For the people who answer: it stands in the timeline and is never sent. Emits nothing.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   * @throws {@link ParleyError} 404: There is no such conversation
   */
  addNote(contactPhone: string, body: CreateNoteRequest, options: PostOptions = {}): ApiCall<NoteResponse> {
    return new ApiCall(this.transport.request<NoteResponse>('conversations.addNote', { path: [contactPhone], body, options }));
  }

  /**
   * Mark conversation as read: `POST /api/v1/conversations/{contact_phone}/read`.
   *
   * Tells the network that the contact’s newest message was read, and so all before it: the contact sees blue ticks. With `typing`, the contact also sees that you are typing.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 400: The contact has sent no message in the last 30 days, or the network refused
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   * @throws {@link ParleyError} 503: The network cannot do it now: try again after `Retry-After`
   * @throws {@link ParleyError} 504: The network’s answer was lost. Trying again does no harm
   */
  markRead(contactPhone: string, body?: MarkReadRequest, options: PostOptions = {}): ApiCall<MarkReadResponse> {
    return new ApiCall(this.transport.request<MarkReadResponse>('conversations.markRead', { path: [contactPhone], body, options }));
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
   * Get the timeline of a conversation: `GET /api/v1/conversations/{contact_phone}/timeline`.
   *
   * Messages, notes and changes (assigned, unassigned, resolved, reopened), newest first. Without `before`, `after` and `around` the newest entries. A cursor also names the business phone. Reactions are no entries. Of changes from before this version there are the assignments. In a conversation that is a small part of what a contact got from several phones, a page can hold fewer entries than `limit`: follow the cursors until they are null.
   *
   * Needs the scope `conversations:read`.
   *
   * @throws {@link ParleyError} 403: The business phone is not one of the account’s
   * @throws {@link ParleyError} 404: There is no such conversation, or `around` is not a message of it
   */
  timeline(contactPhone: string, query: QueryOf<'conversations.timeline'> = {}, options: RequestOptions = {}): ApiCall<TimelineResponse> {
    return new ApiCall(this.transport.request<TimelineResponse>('conversations.timeline', { path: [contactPhone], query, options }));
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
   * `search` matches any part of the name.
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
   * The contacts themselves are kept. Deleted contacts are skipped.
   *
   * Needs the scope `groups:write`.
   *
   * @throws {@link ParleyError} 404: The group or some contacts are unknown; the message names them
   */
  removeContacts(groupId: string, body: GroupMembersRequest, options: RequestOptions = {}): ApiCall<GroupMembersResponse> {
    return new ApiCall(this.transport.request<GroupMembersResponse>('groups.removeContacts', { path: [groupId], body, options }));
  }
}

/** Files to be sent by id. */
export class Media {
  constructor(private readonly transport: Transport) {}

  /**
   * Upload a file: `POST /api/v1/media`.
   *
   * Sends, campaigns and templates take the `id` of the answer as `media_id`, instead of a `media_url`. The file must be of the type that its part of the form declares. An image (JPEG, PNG) may have 5 MB, a video (MP4) and audio (AAC, MP3, M4A, AMR, OGG with Opus) 16 MB, a document (PDF, DOC, DOCX, PPT, PPTX, TXT) 100 MB, a sticker (WEBP) 100 KB, or 500 KB if it is animated. It is kept for 30 days, or until the last campaign that uses it has ended. An upload may take 15 minutes; the fifth of an account at once gets 503.
   *
   * Needs the scope `messages:write`.
   *
   * @throws {@link ParleyError} 400: There is no file or more than one, it is empty, of a type that is not accepted or not the declared one
   * @throws {@link ParleyError} 413: The file is larger than its type may be
   * @throws {@link ParleyError} 503: Other files are being received, or the media store is full
   */
  upload(file: MediaFile, options: PostOptions = {}): ApiCall<UploadResponse> {
    return new ApiCall(this.transport.request<UploadResponse>('media.upload', { body: file, options }));
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
   * @throws {@link ParleyError} 404: The account has no such template, or `reply_to` or `agent_user_id` names nothing
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
   * @throws {@link ParleyError} 404: A message or agent that the request names does not exist
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

  /**
   * Get the file of a message: `GET /api/v1/messages/{message_id}/media`.
   *
   * What a contact sent. One that was not fetched from the network yet is fetched first, for up to ten seconds; 503 means that it may still come. The type is that of its content. Images, audio and video may be shown; everything else is an attachment. `ETag` with `If-None-Match`, and single ranges of bytes, are supported.
   *
   * Needs the scope `messages:read`.
   *
   * @throws {@link ParleyError} 304: The file is the one that `If-None-Match` names
   * @throws {@link ParleyError} 416: The file ends before the part that `Range` asks for
   */
  getMedia(messageId: string, options: RequestOptions = {}): ApiCall<FileDownload> {
    return new ApiCall(this.transport.downloadFile('messages.getMedia', { path: [messageId], options }));
  }
}

/** Texts to insert while answering. */
export class SavedReplies {
  constructor(private readonly transport: Transport) {}

  /**
   * List saved replies: `GET /api/v1/saved-replies`.
   *
   * `search` matches any part of name and text.
   *
   * Needs the scope `conversations:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'savedReplies.list'> = {}, options: RequestOptions = {}): ApiList<SavedRepliesResponse, 'saved_replies'> {
    return new ApiList('saved_replies', query, (page) => this.transport.request<SavedRepliesResponse>('savedReplies.list', { query: page, options }));
  }

  /**
   * Create saved reply: `POST /api/v1/saved-replies`.
   *
   * A text to insert while answering. Whoever inserts it replaces `{{first_name}}` and the like.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 409: A saved reply with this name exists, or the account has 1,000
   */
  create(body: CreateSavedReplyRequest, options: PostOptions = {}): ApiCall<SavedReplyResponse> {
    return new ApiCall(this.transport.request<SavedReplyResponse>('savedReplies.create', { body, options }));
  }

  /**
   * Get saved reply: `GET /api/v1/saved-replies/{saved_reply_id}`.
   *
   * Needs the scope `conversations:read`.
   */
  get(savedReplyId: string, options: RequestOptions = {}): ApiCall<SavedReplyFoundResponse> {
    return new ApiCall(this.transport.request<SavedReplyFoundResponse>('savedReplies.get', { path: [savedReplyId], options }));
  }

  /**
   * Change saved reply: `PATCH /api/v1/saved-replies/{saved_reply_id}`.
   *
   * Absent fields stay unchanged.
   *
   * Needs the scope `conversations:write`.
   *
   * @throws {@link ParleyError} 409: Another saved reply has this name
   */
  change(savedReplyId: string, body?: UpdateSavedReplyRequest, options: RequestOptions = {}): ApiCall<SavedReplyResponse> {
    return new ApiCall(this.transport.request<SavedReplyResponse>('savedReplies.change', { path: [savedReplyId], body, options }));
  }

  /**
   * Delete saved reply: `DELETE /api/v1/saved-replies/{saved_reply_id}`.
   *
   * Needs the scope `conversations:write`.
   */
  delete(savedReplyId: string, options: RequestOptions = {}): ApiCall<SavedReplyDeletedResponse> {
    return new ApiCall(this.transport.request<SavedReplyDeletedResponse>('savedReplies.delete', { path: [savedReplyId], options }));
  }
}

/** Who has signed in at the console. */
export class Session {
  constructor(private readonly transport: Transport) {}

  /**
   * Sign in: `POST /api/v1/session`.
   *
   * For pages of this service: sets a cookie that lasts 7 days, and 12 hours without a request. With the cookie instead of an API key, each request names its account in `Parley-Account` (or, in a link to a file, in `?account=`), and may do what the role of the user allows.
   *
   * @throws {@link ParleyError} 401: The address or the password is wrong, or the link was used or is too old
   * @throws {@link ParleyError} 403: The request comes from another page
   * @throws {@link ParleyError} 429: Too many failures from this IP address, or with this e-mail address
   * @throws {@link ParleyError} 503: Many people are signing in at once: try again after `Retry-After`
   */
  create(body?: SignInRequest, options: PostOptions = {}): ApiCall<SessionResponse> {
    return new ApiCall(this.transport.request<SessionResponse>('session.create', { body, options }));
  }

  /**
   * Who has signed in: `GET /api/v1/session`.
   */
  current(options: RequestOptions = {}): ApiCall<SessionResponse> {
    return new ApiCall(this.transport.request<SessionResponse>('session.current', { options }));
  }

  /**
   * Sign out: `DELETE /api/v1/session`.
   */
  end(options: RequestOptions = {}): ApiCall<SuccessResponse> {
    return new ApiCall(this.transport.request<SuccessResponse>('session.end', { options }));
  }

  /**
   * Change password: `POST /api/v1/session/password`.
   *
   * Ends all other sessions of the user, and makes links void.
   *
   * @throws {@link ParleyError} 403: `current` is wrong
   * @throws {@link ParleyError} 409: The session has ended meanwhile, or somebody else has set a password
   */
  changePassword(body: ChangePasswordRequest, options: PostOptions = {}): ApiCall<SuccessResponse> {
    return new ApiCall(this.transport.request<SuccessResponse>('session.changePassword', { body, options }));
  }

  /**
   * List your sessions: `GET /api/v1/sessions`.
   */
  list(options: RequestOptions = {}): ApiCall<SessionsResponse> {
    return new ApiCall(this.transport.request<SessionsResponse>('session.list', { options }));
  }

  /**
   * End one of your sessions: `DELETE /api/v1/sessions/{session_id}`.
   *
   * @throws {@link ParleyError} 404: You have no such session
   */
  endOther(sessionId: string, options: RequestOptions = {}): ApiCall<SuccessResponse> {
    return new ApiCall(this.transport.request<SuccessResponse>('session.endOther', { path: [sessionId], options }));
  }
}

/** Message templates and their review by the network. */
export class Templates {
  constructor(private readonly transport: Transport) {}

  /**
   * List templates with the latest review decisions: `GET /api/v1/templates`.
   *
   * Needs the scope `templates:read`.
   *
   * Await it for one page, or iterate over it for every row of all pages.
   */
  list(query: QueryOf<'templates.list'> = {}, options: RequestOptions = {}): ApiList<TemplateListResponse, 'templates'> {
    return new ApiList('templates', query, (page) => this.transport.request<TemplateListResponse>('templates.list', { query: page, options }));
  }

  /**
   * Create a template and submit it for review: `POST /api/v1/templates/create`.
   *
   * Example media are fetched from `media_url`, unless they were uploaded, while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 400: A field has the wrong type, or the network refused the template
   * @throws {@link ParleyError} 404: The account has uploaded no such file, or its time is over
   * @throws {@link ParleyError} 422: A rule of templates is broken: `{detail}`; or the Idempotency-Key was used with another body
   * @throws {@link ParleyError} 504: The network did not answer: it may have done what was asked, or not
   */
  create(body: CreateTemplateRequest, options: PostOptions = {}): ApiCall<CreateTemplateResponse> {
    return new ApiCall(this.transport.request<CreateTemplateResponse>('templates.create', { body, options }));
  }

  /**
   * Create a carousel template and submit it for review: `POST /api/v1/templates/create-carousel`.
   *
   * Example media are fetched from `media_url`, unless they were uploaded, while the request waits. All of one request may take 45 seconds together. Four requests of an account may fetch media at the same time; the fifth gets 503.
   *
   * Needs the scope `templates:write`.
   *
   * @throws {@link ParleyError} 400: A field has the wrong type, or the network refused the template
   * @throws {@link ParleyError} 404: The account has uploaded no such file, or its time is over
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
   * @throws {@link ParleyError} 409: Scheduled or running campaigns use the template; the message names them
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
   * The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …). So does one that names no events: they are the eleven usual ones.
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
   * The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …), and of what is still to be sent, before and after the change, unless it only disables the endpoint.
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
   * Without the read scope of what an event carries, `response` of its attempts is null: receivers may repeat it.
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
   * Sends the same bytes with the same `webhook-id` again, with all retries. New attempts are added to the existing ones. The key needs the read scope of what the event carries.
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
   * Delivers every event from `since` until now again, whether it was delivered or not, oldest first and with its original `webhook-id`. The replay runs in the background alongside new events; `GET /api/v1/webhooks/{webhook_id}` shows its progress. An endpoint has one replay at a time. While the endpoint is disabled, its replay is paused. The key needs the read scope of what each replayed event carries.
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
   * Cancel a replay: `DELETE /api/v1/webhooks/{webhook_id}/replay`.
   *
   * It creates no further deliveries; those it has created are delivered. Another one can start.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: No replay is running
   */
  cancelReplay(webhookId: string, options: RequestOptions = {}): ApiCall<ReplayResponse> {
    return new ApiCall(this.transport.request<ReplayResponse>('webhooks.cancelReplay', { path: [webhookId], options }));
  }

  /**
   * Rotate a webhook endpoint’s secret: `POST /api/v1/webhooks/{webhook_id}/rotate-secret`.
   *
   * From the next attempt on, `X-Webhook-Signature` uses the new secret. `webhook-signature` has a signature with the new secret and with each one that was replaced in the last 24 hours, at most five together. Rotating to the present secret changes nothing. The key needs the read scope of what each subscribed event carries (`messages:read`, `conversations:read`, …), and of what is still to be sent.
   *
   * Needs the scope `webhooks:write`.
   *
   * @throws {@link ParleyError} 409: Five secrets of the webhook sign already
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
  readonly media: Media;
  readonly messages: Messages;
  readonly savedReplies: SavedReplies;
  readonly session: Session;
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
    this.media = new Media(transport);
    this.messages = new Messages(transport);
    this.savedReplies = new SavedReplies(transport);
    this.session = new Session(transport);
    this.templates = new Templates(transport);
    this.webhooks = new Webhooks(transport);
    this.health = new Health(transport);
  }
}
