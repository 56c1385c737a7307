import type { TemplateNotice } from '../templates/review/template-review.service.js';
import { categoryOf } from '../templates/template.js';
import { SECOND } from '../values/clock.js';
import { type JsonObject, unixSeconds } from '../values/network-json.js';
import { storableText } from '../values/storable-text.js';
import { noticeTime } from './account-notice.js';
import type { TemplateItem } from './callback.js';

/** The last second of the year 9999: a later one may not be a valid time. */
const MAX_SECONDS = 253_402_300_799;

/**
 * Reads a notice about a template. Ids are integers in some notices and strings in others, and names of languages are
 * spelled in two ways, so a template is found by its id alone.
 *
 * @returns null when it has no id, or says nothing that we know
 */
export function templateNoticeOf({ field, sentAt, value }: TemplateItem): TemplateNotice | null {
  const { message_template_id: id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const about = {
    metaTemplateId: storableText(String(id)),
    toldAt: sentAt === null ? null : noticeTime(sentAt),
  };
  if (field === 'template_category_update') {
    // Also in an announcement, the new category is the one that the template has at the time of the notice.
    const category = categoryOf(value['new_category']);
    if (category === null) return null;
    const previous = categoryOf(value['previous_category']);
    return { ...about, decision: null, category: { category, previous }, changeAt: announcedChange(value) };
  }
  const { event, reason } = value;
  if (typeof event !== 'string') return null;
  const category = categoryOf(value['message_template_category']);
  return {
    ...about,
    decision: { event: storableText(event), reason: typeof reason === 'string' ? storableText(reason) : null },
    category: category === null ? null : { category, previous: null },
    changeAt: null,
  };
}

/** When an announced change of the category is due; null when none is announced. */
function announcedChange({ correct_category: coming, category_update_timestamp: time }: JsonObject): Date | null {
  const seconds = unixSeconds(time);
  return coming === undefined || seconds === null ? null : new Date(Math.min(seconds, MAX_SECONDS) * SECOND);
}
