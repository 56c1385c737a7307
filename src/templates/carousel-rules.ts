import { badRequest, templateRuleBroken } from '../errors/domain-error.js';
import { checkButtons } from './button-rules.js';
import { shown } from './draft-reader.js';
import type { CardDraft, CarouselDraft } from './template-draft.js';
import { checkBodyText, checkTtl } from './template-rules.js';
import { checkLanguage, checkLength, checkName, checkNoVariables, checkVariables } from './text-rules.js';

const FEWEST_CARDS = 2;
const MOST_CARDS = 10;
const FEWEST_BUTTONS = 1;
const MOST_BUTTONS = 2;
const LONGEST_CARD_BODY = 160;
const CARD_FORMATS = ['IMAGE', 'VIDEO'];
/** The network lets cards have no other buttons. */
const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'];

/**
 * Every rule of SPEC §5 and D72.
 *
 * @throws DomainError 422 `{detail}` naming card, rule and value; 400 for a missing `media_url` (D45)
 */
export function checkCarousel(draft: CarouselDraft): void {
  checkName(draft.name);
  checkLanguage(draft.language);
  checkTtl(draft.messageSendTtlSeconds, 'MARKETING');
  checkVariables([{ field: 'body.text', text: checkBodyText(draft.body) }]);
  const { cards } = draft;
  if (cards.length < FEWEST_CARDS || cards.length > MOST_CARDS) {
    throw templateRuleBroken(`cards must have ${FEWEST_CARDS} to ${MOST_CARDS} entries (got ${cards.length})`);
  }
  for (const [index, card] of cards.entries()) checkCard(`cards[${index}]`, card);
  checkLikeness(cards);
  const bare = cards.findIndex(({ mediaUrl }) => mediaUrl === null);
  if (bare >= 0) throw badRequest(`cards[${bare}].media_url is required`);
}

function checkCard(field: string, { headerFormat, bodyText, buttons }: CardDraft): void {
  if (headerFormat === null || !CARD_FORMATS.includes(headerFormat)) {
    const wrong = headerFormat === null ? 'is required: one of' : 'must be one of';
    const got = headerFormat === null ? '' : ` (got ${shown(headerFormat)})`;
    throw templateRuleBroken(`${field}.header_format ${wrong} ${CARD_FORMATS.join(', ')}${got}`);
  }
  if (bodyText !== null) {
    checkLength(`${field}.body_text`, bodyText, LONGEST_CARD_BODY);
    checkNoVariables(`${field}.body_text`, bodyText);
  }
  if (buttons.length < FEWEST_BUTTONS || buttons.length > MOST_BUTTONS) {
    throw templateRuleBroken(
      `${field}.buttons must have ${FEWEST_BUTTONS} to ${MOST_BUTTONS} entries (got ${buttons.length})`,
    );
  }
  const foreign = buttons.findIndex(({ type }) => !CARD_BUTTONS.includes(type));
  if (foreign >= 0) {
    throw templateRuleBroken(
      `${field}.buttons[${foreign}].type must be one of ${CARD_BUTTONS.join(', ')} on a card (got ${buttons[foreign]?.type})`,
    );
  }
  checkButtons(buttons, { field: `${field}.buttons`, offerCode: null });
}

/** All cards are alike: header format, kinds of buttons in their order, and whether they have a text. */
function checkLikeness(cards: readonly CardDraft[]): void {
  refuseDifference(cards, 'header_format', ({ headerFormat }) => String(headerFormat));
  refuseDifference(cards, 'button types in the same order', ({ buttons }) =>
    buttons.map(({ type }) => type).join(', '),
  );
  const [first, ...others] = cards;
  const different = others.findIndex((card) => (card.bodyText === null) !== (first?.bodyText === null));
  if (different >= 0) {
    const [has, lacks] = first?.bodyText === null ? [different + 1, 0] : [0, different + 1];
    throw templateRuleBroken(
      `either all cards or no cards must have body_text (cards[${has}] has one, cards[${lacks}] has none)`,
    );
  }
}

function refuseDifference(cards: readonly CardDraft[], what: string, read: (card: CardDraft) => string): void {
  const [first = '', ...others] = cards.map(read);
  const different = others.findIndex((found) => found !== first);
  if (different < 0) return;
  throw templateRuleBroken(
    `all cards must have the same ${what} (cards[0] has ${first}, cards[${different + 1}] has ${others[different]})`,
  );
}
