import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { blocking } from '../../accounts/restrictions.js';
import { MAX_PROBE_MS } from '../../egress/media-probe.js';
import { DomainError } from '../../errors/domain-error.js';
import { uploadsIn } from '../../sending/single/sending-media.service.js';
import { templateBody } from '../../sending/single/template-body.js';
import { requireForCampaign } from '../../templates/rendering/template-choice.js';
import {
  type ParsedTemplate,
  parseTemplate,
  type RenderedTemplate,
} from '../../templates/rendering/template-message.js';
import type { Template } from '../../templates/template.entity.js';
import { isMediaFormat } from '../../templates/template.js';
import type { RecordId } from '../../values/record-id.js';
import { renderCommon, usesContactFields } from '../authoring/campaign-content.js';
import type { Campaign } from '../campaign.entity.js';
import { type CampaignContent } from '../campaign.js';
import type { CampaignSource } from './campaign-source.queries.js';
import {
  ADVICE,
  accountGone,
  accountSuspended,
  CampaignStop,
  offerEnded,
  phoneGone,
  phoneRestricted,
  stopsWith,
  takesNoCode,
} from './campaign-stop.js';
import { openingsOf } from './send-window-rules.js';

/** A campaign that can be sent. */
export interface CheckedCampaign {
  readonly campaign: Campaign;
  readonly phone: BusinessPhone;
  /** Whether the phone waits, because the network keeps failing its messages. */
  readonly isPhoneWaiting: boolean;
  readonly template: Template;
  /** The template, parsed once for all recipients. */
  readonly parsed: ParsedTemplate;
  /** The values that all recipients share. */
  readonly values: CampaignContent;
  /** The message that all recipients share; only a model for those with values of their own. */
  readonly rendered: RenderedTemplate;
  /** When it was checked. */
  readonly at: Date;
}

/** Everything the messages of one campaign have in common. Made again every few seconds while the campaign is sent. */
export interface CampaignPlan extends CheckedCampaign {
  readonly token: string;
  /** Whether the template is marketing, so that opted-out contacts are skipped. */
  readonly marketing: boolean;
  /** Whether even recipients without values of their own need a message of their own. */
  readonly isPersonal: boolean;
  /** How long checking recipients' own media may delay a group, milliseconds. */
  readonly probeMs: number;
  /** The send window of a number, from a time on. */
  readonly openingAt: ReturnType<typeof openingsOf>;
  /** The shared request body for the network as JSON, without the recipient and our message id. */
  readonly body: string;
  /** The uploaded files that the body names. */
  readonly fileIds: readonly RecordId[];
}

/**
 * The one check of what a campaign needs to be sent: an active account, a phone that may send, a template that can be
 * sent, and values that fit it. It runs before a campaign starts, and again for each plan while it is sent.
 *
 * @param valuesOf its shared values; read only when everything else holds
 * @param at now
 * @throws CampaignStop naming what does not hold
 * @throws Error of the renderer, when stored data cannot be rendered for a reason that nobody foresaw
 */
export async function checkCampaign(
  { campaign, accountStatus, phone, isPhoneWaiting, template: stored }: CampaignSource,
  valuesOf: (campaign: Campaign) => CampaignContent | Promise<CampaignContent>,
  at: Date,
): Promise<CheckedCampaign> {
  if (accountStatus === null) throw accountGone(campaign.accountId);
  if (accountStatus !== 'active') throw accountSuspended();
  if (phone === null) throw phoneGone(campaign.businessPhoneId);
  const block = blocking(phone.restrictions);
  if (block !== null) throw phoneRestricted(campaign.id, phone.phone, block);
  const template = await stopsWith(ADVICE.template, () => requireForCampaign(stored));
  if (campaign.content.code !== undefined && template.category !== 'AUTHENTICATION') throw takesNoCode(template.name);
  const { offerEndsAt, content } = campaign;
  if (offerEndsAt !== null && offerEndsAt <= at) throw offerEnded(content.expirationTimeMs);
  const values = await stopsWith(ADVICE.secret, () => valuesOf(campaign));
  const { parsed, rendered } = await stopsWith(ADVICE.content, () => render(template, values, at));
  return { campaign, phone, isPhoneWaiting, template, parsed, values, rendered, at };
}

/** The rendered message depends only on stored data, so an error would recur: it stops the campaign. */
function render(template: Template, values: CampaignContent, at: Date): Pick<CheckedCampaign, 'parsed' | 'rendered'> {
  try {
    const parsed = parseTemplate(template);
    return { parsed, rendered: renderCommon(parsed, values, at, { isStored: true }) };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new CampaignStop(
      `template ${template.name} cannot be rendered with the campaign’s values. Run POST /api/v1/templates/sync, ` +
        'then create the campaign again',
      { cause: error },
    );
  }
}

/** @param token of the phone */
export const preparedPlan = (checked: CheckedCampaign, token: string): CampaignPlan => {
  const { template, values, rendered } = checked;
  return {
    ...checked,
    token,
    marketing: template.category === 'MARKETING',
    isPersonal: usesContactFields(values) || (values.leftToRecipients ?? []).length > 0,
    probeMs: isMediaFormat(template.headerFormat) ? MAX_PROBE_MS : 0,
    openingAt: openingsOf(checked.campaign),
    body: JSON.stringify(templateBody(template, rendered)),
    fileIds: uploadsIn(rendered.media),
  };
};

/** When a number outside its send window may be sent to; null: now. */
export function closedUntil(
  { openingAt, at: plannedAt }: CampaignPlan,
  phoneNumber: string | null,
  at: Date,
): Date | null {
  const known = openingAt(phoneNumber, plannedAt);
  const opening = known !== null && known.closesAt <= at ? openingAt(phoneNumber, at) : known;
  return opening !== null && opening.opensAt > at ? opening.opensAt : null;
}
