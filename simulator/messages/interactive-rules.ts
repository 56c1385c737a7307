import { GraphError } from '../graph-error.js';
import { exceeds, isObject, isText, type JsonObject } from '../json-object.js';
import { checkMedia, isLink, type KnowsMedia } from '../media/media-rules.js';

const BODY_LIMIT = 1024;
const SHORT_TEXT_LIMIT = 60;
const TITLE_LIMIT = 20;
const ID_LIMIT = 256;
const BUTTON_LIMIT = 3;

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
}

function checkHeader(header: unknown, knowsMedia: KnowsMedia): void {
  if (!isObject(header)) throw GraphError.invalid('interactive header must be an object');
  if (header.type === 'text') checkLength(header.text, 'Header text', SHORT_TEXT_LIMIT);
  else if (header.type === 'image' || header.type === 'video' || header.type === 'document') {
    checkMedia(header[header.type], header.type, knowsMedia);
  } else throw GraphError.invalid('interactive header type must be one of text, image, video, document');
}

/** Rejects invalid reply-button and website-button messages. The simulator supports no other interactive types. */
export function checkInteractive(interactive: unknown, knowsMedia: KnowsMedia): void {
  if (!isObject(interactive)) throw GraphError.missing('interactive');
  const { type, header, body, footer, action } = interactive;
  if (type !== 'button' && type !== 'cta_url') {
    throw new GraphError(100, "Param interactive['type'] must be one of {button, cta_url}.");
  }
  if (!isObject(body)) throw GraphError.missing("interactive['body']");
  checkLength(body.text, 'Body text', BODY_LIMIT);
  if (header !== undefined) checkHeader(header, knowsMedia);
  if (footer !== undefined) checkLength(isObject(footer) ? footer.text : '', 'Footer text', SHORT_TEXT_LIMIT);
  if (!isObject(action)) throw GraphError.missing("interactive['action']");
  if (type === 'button') checkReplyButtons(action);
  else checkWebsiteButton(action);
}
