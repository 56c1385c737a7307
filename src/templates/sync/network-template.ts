import { isPlainObject } from '../../http/field-rules.js';
import { storableText } from '../../values/storable-text.js';
import { categoryOf, type NetworkComponent, type ParameterFormat, type TemplateCategory } from '../template.js';
import { parameterFormatOf } from '../template-variables.js';

/** A template as the network lists it, parsed. */
export interface NetworkTemplate {
  readonly metaTemplateId: string;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  /** The network's own status, such as `PAUSED`. */
  readonly networkStatus: string;
  readonly rejectedReason: string | null;
  readonly parameterFormat: ParameterFormat;
  readonly messageSendTtlSeconds: number | null;
  readonly components: readonly NetworkComponent[];
}

/** The body of the network's `POST /{waba}/message_templates`. */
export interface TemplateRequest {
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  readonly parameter_format: ParameterFormat;
  readonly message_send_ttl_seconds?: number;
  readonly components: readonly NetworkComponent[];
}

/** The fields that {@link readNetworkTemplate} needs, for the network's `fields` parameter. */
export const NETWORK_FIELDS =
  'id,name,language,category,status,rejected_reason,parameter_format,message_send_ttl_seconds,components';

/** The largest PostgreSQL integer. */
const MAX_INTEGER = 2_147_483_647;

/**
 * The id of a template as the network answers it, a string. A number is read only as far as it cannot be a rounded one.
 */
export const metaTemplateIdOf = (id: unknown): string | null =>
  typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : null;

/** Parses a template from a network response; null when we cannot store it. */
export function readNetworkTemplate(answer: unknown): NetworkTemplate | null {
  const value = storable(answer);
  if (!isPlainObject(value)) return null;
  const { id, name, language, category, status, rejected_reason: reason, message_send_ttl_seconds: ttl } = value;
  const known = categoryOf(category);
  const metaTemplateId = metaTemplateIdOf(id);
  const { components } = value;
  if (metaTemplateId === null || known === null || !isComponents(components)) return null;
  if (typeof name !== 'string' || typeof language !== 'string' || typeof status !== 'string') return null;
  return {
    metaTemplateId,
    name,
    language,
    category: known,
    networkStatus: status,
    rejectedReason: typeof reason === 'string' ? reason : null,
    parameterFormat: formatOf(value.parameter_format, components),
    messageSendTtlSeconds: isInteger(ttl) ? ttl : null,
    components,
  };
}

/** A component that we left out would be missing in every message. */
const isComponents = (value: unknown): value is NetworkComponent[] =>
  Array.isArray(value) && value.every(isPlainObject);

const isInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_INTEGER;

/** Makes all texts storable in PostgreSQL, so that one odd template cannot fail the whole sync. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

/** Old templates have no format; it follows from their variables. */
function formatOf(given: unknown, components: readonly NetworkComponent[]): ParameterFormat {
  if (given === 'NAMED' || given === 'POSITIONAL') return given;
  return parameterFormatOf(components.map(({ text }) => (typeof text === 'string' ? text : '')));
}
