import { isPlainObject } from '../../http/field-rules.js';
import { storableText } from '../../values/storable-text.js';
import { CATEGORIES, type NetworkComponent, type ParameterFormat, type TemplateCategory } from '../template.js';
import { parameterFormatOf } from '../template-variables.js';

/** A template as the network lists it. */
export interface NetworkTemplate {
  readonly metaTemplateId: string;
  readonly name: string;
  readonly language: string;
  readonly category: TemplateCategory;
  /** In the network's words. */
  readonly networkStatus: string;
  readonly rejectedReason: string | null;
  readonly parameterFormat: ParameterFormat;
  readonly messageSendTtlSeconds: number | null;
  readonly components: readonly NetworkComponent[];
}

/** The fields that {@link readNetworkTemplate} needs, as the network's `fields` parameter names them. */
export const NETWORK_FIELDS =
  'id,name,language,category,status,rejected_reason,parameter_format,message_send_ttl_seconds,components';

/** PostgreSQL's integer. */
const LARGEST_INTEGER = 2_147_483_647;

/** Reads one template out of an answer of the network; null when it is none that we could store. */
export function readNetworkTemplate(answer: unknown): NetworkTemplate | null {
  const value = storable(answer);
  if (!isPlainObject(value)) return null;
  const { id, name, language, category, status, rejected_reason: reason, message_send_ttl_seconds: ttl } = value;
  const known = CATEGORIES.find((each) => each === category);
  const components = Array.isArray(value.components) ? value.components.filter(isPlainObject) : [];
  if ((typeof id !== 'string' && typeof id !== 'number') || known === undefined) return null;
  if (typeof name !== 'string' || typeof language !== 'string' || typeof status !== 'string') return null;
  return {
    metaTemplateId: String(id),
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

const isInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= LARGEST_INTEGER;

/** The same with all texts as PostgreSQL can store them: one odd template must not keep the others from being stored. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

/** Templates made long ago carry no format: then their variables tell. */
function formatOf(given: unknown, components: readonly NetworkComponent[]): ParameterFormat {
  if (given === 'NAMED' || given === 'POSITIONAL') return given;
  return parameterFormatOf(components.map(({ text }) => (typeof text === 'string' ? text : '')));
}
