import type { Template } from '../template.entity.js';
import type { TemplateCategory } from '../template.js';

/** What a notice says about the category of a template. */
export interface CategoryNews {
  readonly category: TemplateCategory;
  /** The category before; null when the notice does not say. */
  readonly previous: TemplateCategory | null;
}

/** What follows from a notice about a category. */
export interface CategoryOutcome {
  /** Whether it is from now on the category in force. */
  readonly isInForce: boolean;
  /** Whether the notice may be older than the stored category, so that the network must be asked. */
  readonly isInDoubt: boolean;
}

/**
 * Decides whether a notice changes the category. Notices are repeated for days and arrive in any order. An older one
 * changes nothing. Where the order is unknown, a template that is not MARKETING follows the notice, because that can
 * only keep messages back; one that is MARKETING stays so until the network is asked, because people who have opted out
 * might get it.
 *
 * @param toldAt when the network sent the notice, in whole seconds; null if it does not say
 */
export function categoryOutcome(
  stored: Pick<Template, 'category' | 'categoryToldAt'>,
  { category, previous }: CategoryNews,
  toldAt: Date | null,
): CategoryOutcome {
  const known = stored.categoryToldAt;
  if (toldAt !== null && known !== null && toldAt < known) return { isInForce: false, isInDoubt: false };
  if (category === stored.category) return { isInForce: true, isInDoubt: false };
  if (toldAt !== null && known !== null && toldAt > known) return { isInForce: true, isInDoubt: false };
  if (stored.category === 'MARKETING') return { isInForce: false, isInDoubt: true };
  const isFirst = toldAt !== null && known === null;
  const follows = toldAt === null && (previous === null || previous === stored.category);
  return { isInForce: true, isInDoubt: !isFirst && !follows };
}
