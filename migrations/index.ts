import type { MigrationInterface } from 'typeorm';
import { CreateRecordIdFunctions1790000000001 } from './0001-create-record-id-functions.js';
import { CreateConfigurationEpoch1790000000002 } from './0002-create-configuration-epoch.js';
import { CreateCounters1790000000003 } from './0003-create-counters.js';
import { CreateOrganisations1790000000004 } from './0004-create-organisations.js';
import { CreateUsers1790000000005 } from './0005-create-users.js';
import { CreateAccounts1790000000006 } from './0006-create-accounts.js';
import { CreateApiKeys1790000000007 } from './0007-create-api-keys.js';
import { CreateBusinessAccounts1790000000008 } from './0008-create-business-accounts.js';
import { CreateBusinessPhones1790000000009 } from './0009-create-business-phones.js';
import { CreatePhoneThroughput1790000000010 } from './0010-create-phone-throughput.js';
import { CreateWalletEntries1790000000011 } from './0011-create-wallet-entries.js';
import { CreateRateLimitWindows1790000000012 } from './0012-create-rate-limit-windows.js';
import { CreateIdempotencyKeys1790000000014 } from './0014-create-idempotency-keys.js';
import { CreateContacts1790000000015 } from './0015-create-contacts.js';
import { CreateContactGroups1790000000016 } from './0016-create-contact-groups.js';
import { CreateGroupMembers1790000000017 } from './0017-create-group-members.js';
import { CreateTemplates1790000000018 } from './0018-create-templates.js';
import { CreateTemplateReviews1790000000019 } from './0019-create-template-reviews.js';
import { CreateConversations1790000000020 } from './0020-create-conversations.js';
import { CreateConversationAssignments1790000000021 } from './0021-create-conversation-assignments.js';
import { CreateAssignmentRotations1790000000022 } from './0022-create-assignment-rotations.js';
import { CreateCampaigns1790000000023 } from './0023-create-campaigns.js';
import { CreateCampaignRecipients1790000000024 } from './0024-create-campaign-recipients.js';
import { CreateMessages1790000000025 } from './0025-create-messages.js';
import { CreateNetworkMessages1790000000026 } from './0026-create-network-messages.js';
import { CreateSendsInFlight1790000000027 } from './0027-create-sends-in-flight.js';
import { CreateParkedReports1790000000028 } from './0028-create-parked-reports.js';
import { CreateUnhandledCallbacks1790000000029 } from './0029-create-unhandled-callbacks.js';
import { CreateEvents1790000000030 } from './0030-create-events.js';
import { CreateOutbox1790000000031 } from './0031-create-outbox.js';
import { CreateWebhookEndpoints1790000000032 } from './0032-create-webhook-endpoints.js';
import { CreateWebhookDeliveries1790000000033 } from './0033-create-webhook-deliveries.js';
import { CreateWebhookAttempts1790000000034 } from './0034-create-webhook-attempts.js';
import { AddPersonalValuesToCampaignRecipients1790000000035 } from './0035-add-personal-values-to-campaign-recipients.js';
import { AddMessagingLimits1790000000045 } from './0045-add-messaging-limits.js';
import { AddSendWindows1790000000046 } from './0046-add-send-windows.js';
import { AddFailureBrakes1790000000047 } from './0047-add-failure-brakes.js';
import { AddAdmissions1790000000048 } from './0048-add-admissions.js';
import { AddWebhookControl1790000000049 } from './0049-add-webhook-control.js';
import { AddContactErasure1790000000050 } from './0050-add-contact-erasure.js';
import { AddContactToEvents1790000000051 } from './0051-add-contact-to-events.js';
import { HideDeletedGroups1790000000052 } from './0052-hide-deleted-groups.js';
import { AddKeyNetworks1790000000053 } from './0053-add-key-networks.js';
import { MatchWordsOfContacts1790000000054 } from './0054-match-words-of-contacts.js';
import { CreateAuditEntries1790000000055 } from './0055-create-audit-entries.js';
import { AddRestrictionExpiry1790000000056 } from './0056-add-restriction-expiry.js';
import { AddTemplateNoticeTime1790000000057 } from './0057-add-template-notice-time.js';
import { WatchSecretsOfKeys1790000000058 } from './0058-watch-secrets-of-keys.js';
import { AddBanToBusinessAccounts1790000000059 } from './0059-add-ban-to-business-accounts.js';
import { RecordConsentDecisions1790000000060 } from './0060-record-consent-decisions.js';
import { AddHashKeyTimes1790000000065 } from './0065-add-hash-key-times.js';
import { AddCodesToCampaigns1790000000067 } from './0067-add-codes-to-campaigns.js';
import { CreateCodeMaskingRuns1790000000068 } from './0068-create-code-masking-runs.js';
import { AddCategoryNoticeTime1790000000069 } from './0069-add-category-notice-time.js';
import { CreateTemplateLooks1790000000070 } from './0070-create-template-looks.js';
import { FindIdentifiersInLinearTime1790000000071 } from './0071-find-identifiers-in-linear-time.js';
import { MarkUnreadableErasures1790000000072 } from './0072-mark-unreadable-erasures.js';
import { AddShownOnceToIdempotencyKeys1790000000073 } from './0073-add-shown-once-to-idempotency-keys.js';
import { MaskCodesInErrors1790000000076 } from './0076-mask-codes-in-errors.js';
import { RememberFormerIdentities1790000000078 } from './0078-remember-former-identities.js';
import { CountFailedDeliveries1790000000080 } from './0080-count-failed-deliveries.js';
import { AddOlderSecretsAndHeaders1790000000081 } from './0081-add-older-secrets-and-headers.js';
import { CanonicaliseWebhookUrls1790000000082 } from './0082-canonicalise-webhook-urls.js';
import { IndexDeliveryFilters1790000000083 } from './0083-index-delivery-filters.js';
import { IndexLogFilters1790000000084 } from './0084-index-log-filters.js';
import { CancelReplays1790000000085 } from './0085-cancel-replays.js';
import { CreatePersonalDataDebts1790000000086 } from './0086-create-personal-data-debts.js';
import { ExpectTenantsToGrow1790000000087 } from './0087-expect-tenants-to-grow.js';
import { CreateNumberKeys1790000000088 } from './0088-create-number-keys.js';
import { SearchByFoldedText1790000000089 } from './0089-search-by-folded-text.js';
import { CreateSweepLease1790000000090 } from './0090-create-sweep-lease.js';
import { CreatePhoneWaits1790000000091 } from './0091-create-phone-waits.js';
import { ForgetTemplateEvents1790000000092 } from './0092-forget-template-events.js';
import { ProtectUnfinishedCampaigns1790000000093 } from './0093-protect-unfinished-campaigns.js';
import { AddHeldAndSilentMessages1790000000094 } from './0094-add-held-and-silent-messages.js';
import { TellRestrictionsApart1790000000096 } from './0096-tell-restrictions-apart.js';
import { CreateMediaFiles1790000000100 } from './0100-create-media-files.js';
import { AddMessageChanges1790000000101 } from './0101-add-message-changes.js';
import { LetCallbacksWaitForMessages1790000000102 } from './0102-let-callbacks-wait-for-messages.js';
import { RemoveBusinessPhones1790000000104 } from './0104-remove-business-phones.js';
import { CreateNetworkApps1790000000105 } from './0105-create-network-apps.js';
import { AddSenderAndReferenceToMessages1790000000106 } from './0106-add-sender-and-reference-to-messages.js';
import { CreateUploadedFiles1790000000107 } from './0107-create-uploaded-files.js';
import { CreateNetworkCopies1790000000108 } from './0108-create-network-copies.js';
import { CreateConversationEntries1790000000109 } from './0109-create-conversation-entries.js';
import { AddWaitingThreads1790000000110 } from './0110-add-waiting-threads.js';
import { IndexInboxes1790000000111 } from './0111-index-inboxes.js';
import { ShowWhatWasSent1790000000112 } from './0112-show-what-was-sent.js';
import { FindIdentifiersInEncodedUrls1790000000113 } from './0113-find-identifiers-in-encoded-urls.js';
import { DecodeOnlyEncodedWords1790000000114 } from './0114-decode-only-encoded-words.js';
import { NoteOddAnswers1790000000115 } from './0115-note-odd-answers.js';
import { TellWhoRunsCampaigns1790000000116 } from './0116-tell-who-runs-campaigns.js';
import { TellWhenRecipientsReplied1790000000117 } from './0117-tell-when-recipients-replied.js';
import { CountRetriedRecipientsOnce1790000000118 } from './0118-count-retried-recipients-once.js';
import { CreateSessions1790000000119 } from './0119-create-sessions.js';
import { CheckActors1790000000120 } from './0120-check-actors.js';
import { CreateSavedReplies1790000000121 } from './0121-create-saved-replies.js';
import { AddByPersonToMessages1790000000122 } from './0122-add-by-person-to-messages.js';
import { AddAnswersToConversations1790000000123 } from './0123-add-answers-to-conversations.js';
import { TellWhoPausesCampaigns1790000000124 } from './0124-tell-who-pauses-campaigns.js';

/** Every migration, oldest first. One that has landed is never edited. */
export const MIGRATIONS: (new () => MigrationInterface)[] = [
  CreateRecordIdFunctions1790000000001,
  CreateConfigurationEpoch1790000000002,
  CreateCounters1790000000003,
  CreateOrganisations1790000000004,
  CreateUsers1790000000005,
  CreateAccounts1790000000006,
  CreateApiKeys1790000000007,
  CreateBusinessAccounts1790000000008,
  CreateBusinessPhones1790000000009,
  CreatePhoneThroughput1790000000010,
  CreateWalletEntries1790000000011,
  CreateRateLimitWindows1790000000012,
  CreateIdempotencyKeys1790000000014,
  CreateContacts1790000000015,
  CreateContactGroups1790000000016,
  CreateGroupMembers1790000000017,
  CreateTemplates1790000000018,
  CreateTemplateReviews1790000000019,
  CreateConversations1790000000020,
  CreateConversationAssignments1790000000021,
  CreateAssignmentRotations1790000000022,
  CreateCampaigns1790000000023,
  CreateCampaignRecipients1790000000024,
  CreateMessages1790000000025,
  CreateNetworkMessages1790000000026,
  CreateSendsInFlight1790000000027,
  CreateParkedReports1790000000028,
  CreateUnhandledCallbacks1790000000029,
  CreateEvents1790000000030,
  CreateOutbox1790000000031,
  CreateWebhookEndpoints1790000000032,
  CreateWebhookDeliveries1790000000033,
  CreateWebhookAttempts1790000000034,
  AddPersonalValuesToCampaignRecipients1790000000035,
  AddMessagingLimits1790000000045,
  AddSendWindows1790000000046,
  AddFailureBrakes1790000000047,
  AddAdmissions1790000000048,
  AddWebhookControl1790000000049,
  AddContactErasure1790000000050,
  AddContactToEvents1790000000051,
  HideDeletedGroups1790000000052,
  AddKeyNetworks1790000000053,
  MatchWordsOfContacts1790000000054,
  CreateAuditEntries1790000000055,
  AddRestrictionExpiry1790000000056,
  AddTemplateNoticeTime1790000000057,
  WatchSecretsOfKeys1790000000058,
  AddBanToBusinessAccounts1790000000059,
  RecordConsentDecisions1790000000060,
  AddHashKeyTimes1790000000065,
  AddCodesToCampaigns1790000000067,
  CreateCodeMaskingRuns1790000000068,
  AddCategoryNoticeTime1790000000069,
  CreateTemplateLooks1790000000070,
  FindIdentifiersInLinearTime1790000000071,
  MarkUnreadableErasures1790000000072,
  AddShownOnceToIdempotencyKeys1790000000073,
  MaskCodesInErrors1790000000076,
  RememberFormerIdentities1790000000078,
  CountFailedDeliveries1790000000080,
  AddOlderSecretsAndHeaders1790000000081,
  CanonicaliseWebhookUrls1790000000082,
  IndexDeliveryFilters1790000000083,
  IndexLogFilters1790000000084,
  CancelReplays1790000000085,
  CreatePersonalDataDebts1790000000086,
  ExpectTenantsToGrow1790000000087,
  CreateNumberKeys1790000000088,
  SearchByFoldedText1790000000089,
  CreateSweepLease1790000000090,
  CreatePhoneWaits1790000000091,
  ForgetTemplateEvents1790000000092,
  ProtectUnfinishedCampaigns1790000000093,
  AddHeldAndSilentMessages1790000000094,
  TellRestrictionsApart1790000000096,
  CreateMediaFiles1790000000100,
  AddMessageChanges1790000000101,
  LetCallbacksWaitForMessages1790000000102,
  RemoveBusinessPhones1790000000104,
  CreateNetworkApps1790000000105,
  AddSenderAndReferenceToMessages1790000000106,
  CreateUploadedFiles1790000000107,
  CreateNetworkCopies1790000000108,
  CreateConversationEntries1790000000109,
  AddWaitingThreads1790000000110,
  IndexInboxes1790000000111,
  ShowWhatWasSent1790000000112,
  FindIdentifiersInEncodedUrls1790000000113,
  DecodeOnlyEncodedWords1790000000114,
  NoteOddAnswers1790000000115,
  TellWhoRunsCampaigns1790000000116,
  TellWhenRecipientsReplied1790000000117,
  CountRetriedRecipientsOnce1790000000118,
  CreateSessions1790000000119,
  CheckActors1790000000120,
  CreateSavedReplies1790000000121,
  AddByPersonToMessages1790000000122,
  AddAnswersToConversations1790000000123,
  TellWhoPausesCampaigns1790000000124,
];
