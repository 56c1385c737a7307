import { GraphError } from '../graph-error.js';
import { exceeds, isObject, isText, type JsonObject } from '../json-object.js';
import { checkMedia, isLink, isOpenable, type KnowsMedia } from '../media/media-rules.js';

const BODY_LIMIT = 1024;
const SHORT_TEXT_LIMIT = 60;
const TITLE_LIMIT = 20;
const ID_LIMIT = 256;
const BUTTON_LIMIT = 3;
const MIN_CARDS = 2;
const MAX_CARDS = 10;
const LIST = { body: 4096, rows: 10, title: 24, rowId: 200, description: 72 };

function checkLength(text: unknown, name: string, limit: number): string {
  if (text === undefined) throw new GraphError(131008, `${name} is required`);
  if (!isText(text) || exceeds(text, limit)) {
    throw GraphError.invalid(`${name} length invalid. Min length: 1, Max length: ${limit}`);
  }
  return text;
}

function checkReplyButtons(action: JsonObject): void {
  const { buttons } = action;
  if (!Array.isArray(buttons)) throw GraphError.missing("interactive['action']['buttons']");
  if (buttons.length < 1 || buttons.length > BUTTON_LIMIT) {
    throw GraphError.invalid(`Invalid buttons count. Min allowed buttons: 1, Max allowed buttons: ${BUTTON_LIMIT}`);
  }
  const ids = new Set<string>();
  const titles = new Set<string>();
  for (const button of buttons) {
    if (!isObject(button) || button.type !== 'reply' || !isObject(button.reply)) {
      throw GraphError.invalid('Each button must be {type: "reply", reply: {id, title}}');
    }
    const id = checkLength(button.reply.id, 'Button id', ID_LIMIT);
    const title = checkLength(button.reply.title, 'Button title', TITLE_LIMIT);
    if (ids.has(id)) throw GraphError.invalid('Duplicated reply id');
    if (titles.has(title)) throw GraphError.invalid('Duplicated reply title');
    ids.add(id);
    titles.add(title);
  }
}

function checkWebsiteButton({ name, parameters }: JsonObject): void {
  if (name !== 'cta_url') throw GraphError.invalid('interactive action name must be cta_url');
  if (!isObject(parameters)) throw GraphError.missing("interactive['action']['parameters']");
  checkLength(parameters.display_text, 'display_text', TITLE_LIMIT);
  if (!isLink(parameters.url)) throw GraphError.invalid('url must start with http:// or https://');
  if (!isOpenable(parameters.url)) throw GraphError.invalid('url must be percent-encoded');
}

function checkHeader(header: unknown, knowsMedia: KnowsMedia): void {
  if (!isObject(header)) throw GraphError.invalid('interactive header must be an object');
  if (header.type === 'text') checkLength(header.text, 'Header text', SHORT_TEXT_LIMIT);
  else if (header.type === 'image' || header.type === 'video' || header.type === 'document') {
    checkMedia(header[header.type], header.type, knowsMedia);
  } else throw GraphError.invalid('interactive header type must be one of text, image, video, document');
}

function checkRow(row: unknown, ids: Set<string>): void {
  if (!isObject(row)) throw GraphError.invalid('Each row must be {id, title, description?}');
  const id = checkLength(row.id, 'Row id', LIST.rowId);
  checkLength(row.title, 'Row title', LIST.title);
  if (row.description !== undefined) checkLength(row.description, 'Row description', LIST.description);
  if (ids.has(id)) throw GraphError.invalid('Duplicated row id');
  ids.add(id);
}

function checkList({ button, sections }: JsonObject): void {
  checkLength(button, 'Button', TITLE_LIMIT);
  if (!Array.isArray(sections) || sections.length === 0) throw GraphError.missing("interactive['action']['sections']");
  const ids = new Set<string>();
  for (const section of sections) {
    if (!isObject(section) || !Array.isArray(section.rows)) throw GraphError.invalid('Each section must have rows');
    if (sections.length > 1 || section.title !== undefined) checkLength(section.title, 'Section title', LIST.title);
    for (const row of section.rows) checkRow(row, ids);
  }
  if (ids.size < 1 || ids.size > LIST.rows) throw GraphError.invalid(`A list must have 1 to ${LIST.rows} rows in all`);
}

/** Requires the action that only this type of message has. */
const named =
  (name: string): Rule =>
  (action) => {
    if (action.name !== name) throw GraphError.invalid(`interactive action name must be ${name}`);
  };

type Rule = (action: JsonObject) => void;

/** The types whose action the network describes only in part: of these nothing else is checked. */
const UNCHECKED: Rule = () => undefined;

/** How the action of each type is checked. */
const ACTIONS: Readonly<Record<string, Rule>> = {
  button: checkReplyButtons,
  list: checkList,
  cta_url: checkWebsiteButton,
  location_request_message: named('send_location'),
  request_contact_info: UNCHECKED,
  flow: named('flow'),
  address_message: named('address_message'),
  product: UNCHECKED,
  product_list: UNCHECKED,
  catalog_message: named('catalog_message'),
  carousel: checkCards,
  voice_call: named('voice_call'),
  call_permission_request: named('call_permission_request'),
};

function checkCards({ cards }: JsonObject): void {
  if (!Array.isArray(cards) || cards.length < MIN_CARDS || cards.length > MAX_CARDS) {
    throw GraphError.invalid(`A carousel must have ${MIN_CARDS} to ${MAX_CARDS} cards`);
  }
}

/** Rejects invalid interactive messages. */
export function checkInteractive(interactive: unknown, knowsMedia: KnowsMedia): void {
  if (!isObject(interactive)) throw GraphError.missing('interactive');
  const { type, header, body, footer, action } = interactive;
  const rule = typeof type === 'string' && Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
  if (!rule)
    throw new GraphError(100, `Param interactive['type'] must be one of {${Object.keys(ACTIONS).join(', ')}}.`);
  // A single product needs no text.
  if (body !== undefined || type !== 'product') {
    if (!isObject(body)) throw GraphError.missing("interactive['body']");
    checkLength(body.text, 'Body text', type === 'list' ? LIST.body : BODY_LIMIT);
  }
  if (header !== undefined) checkHeader(header, knowsMedia);
  if (footer !== undefined) checkLength(isObject(footer) ? footer.text : '', 'Footer text', SHORT_TEXT_LIMIT);
  if (!isObject(action)) throw GraphError.missing("interactive['action']");
  rule(action);
}
