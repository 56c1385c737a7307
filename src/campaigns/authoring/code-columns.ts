import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import type { SecretPlace } from '../../database/secrets/secret-box.js';

/** Where the encrypted code of a campaign is stored. */
export const campaignCodePlace = (accountId: string, campaignId: string): SecretPlace => ({
  accountId,
  rowId: campaignId,
  column: 'campaigns.code',
});

/** Where the encrypted code of a recipient is stored. A merge gives it another contact, but never another position. */
export const recipientCodePlace = (accountId: string, campaignId: string, position: number | string): SecretPlace => ({
  accountId,
  rowId: `${campaignId}/${position}`,
  column: 'campaign_recipients.code',
});

/** The column of all encrypted codes of campaigns. */
export const CAMPAIGN_CODE_COLUMN: SealedColumn = {
  table: 'campaigns',
  column: 'code',
  key: [['id', 'uuid']],
  place: (accountId, [campaignId = '']) => campaignCodePlace(accountId, campaignId),
};

/** The column of all encrypted codes of recipients. */
export const RECIPIENT_CODE_COLUMN: SealedColumn = {
  table: 'campaign_recipients',
  column: 'code',
  key: [
    ['campaign_id', 'uuid'],
    ['position', 'integer'],
  ],
  place: (accountId, [campaignId = '', position = '']) => recipientCodePlace(accountId, campaignId, position),
};
