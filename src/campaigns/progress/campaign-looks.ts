import type { Database } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import type { CampaignMessage } from '../../messages/history/campaign-looks.js';
import { type StoredLook, storedLook } from '../../messages/sent-parts.js';
import { parseTemplate, type RenderableTemplate, renderPartially } from '../../templates/rendering/template-message.js';
import type { RecordId } from '../../values/record-id.js';
import { placeholderFor, sendingInput } from '../authoring/campaign-content.js';
import type { PersonalValues, SentTemplate } from '../campaign.js';
import { sentTemplateAt } from '../planning/sent-templates.js';
import { findLookSources, findOwnValues, type LookSource } from './campaign-looks.queries.js';

/** Before all expiries: an offer has not ended for those who look at it afterwards. */
const LONG_AGO = new Date(0);

/**
 * Tells how messages of campaigns looked, from what their campaigns, recipients and templates have. The body is not told:
 * it is stored with the message.
 */
export async function looksOfMessages(
  accountId: string,
  messages: readonly CampaignMessage[],
  db: Database,
): Promise<ReadonlyMap<RecordId, StoredLook>> {
  const campaignIds = [...new Set(messages.map(({ campaignId }) => campaignId))];
  const [sources, own] = await Promise.all([
    findLookSources(accountId, campaignIds, db),
    findOwnValues(accountId, messages, db),
  ]);
  const rendererOf = new Map(sources.map((source) => [source.id, rendererFor(source)]));
  return new Map(
    messages.flatMap(({ id, campaignId, createdAt }): [RecordId, StoredLook][] => {
      const look = rendererOf.get(campaignId)?.(own.get(id) ?? null, createdAt) ?? null;
      return look === null ? [] : [[id, look]];
    }),
  );
}

/** Renders the messages of one campaign; those that do not differ share one look. */
function rendererFor(source: LookSource): (personal: PersonalValues | null, at: Date) => StoredLook | null {
  const shared = new Map<SentTemplate | null, StoredLook | null>();
  const { name, content, sentTemplates } = source;
  const named = new Map<SentTemplate | null, RenderableTemplate>([[null, source]]);
  for (const each of sentTemplates ?? []) named.set(each, { ...each, name });
  return (personal, at) => {
    const version = sentTemplateAt(sentTemplates, at);
    const template = named.get(version) ?? source;
    const render = (): StoredLook | null => lookOf(template, content, personal);
    if (personal !== null) return render();
    if (!shared.has(version)) shared.set(version, render());
    return shared.get(version) ?? null;
  };
}

/** @returns null when the template no longer takes the values that were sent with it */
function lookOf(
  template: RenderableTemplate,
  content: LookSource['content'],
  personal: PersonalValues | null,
): StoredLook | null {
  try {
    const input = sendingInput(content, personal, placeholderFor);
    return storedLook(renderPartially(parseTemplate(template), input, LONG_AGO, { isStored: true }).look);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
