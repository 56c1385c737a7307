import { parseNameValues, parseOneOf, parseRatio, parseUrl } from './environment-values.js';
import type { Reader } from './variables.js';

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'];
const PROTOCOLS = ['http/protobuf', 'http/json'];

/** Where traces go, and which. */
export interface TracingSettings {
  /** Takes traces over OTLP/HTTP. */
  readonly url: string;
  /** `http/protobuf` or `http/json`. */
  readonly protocol: string;
  /** Sent with each export; usually a key of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** `always_on`, `always_off` or `traceidratio`; with the prefix `parentbased_` it only decides about new traces. */
  readonly sampler: string;
  /** The share of traces that `traceidratio` takes, from 0 to 1. */
  readonly samplerRatio: number;
}

/**
 * Reads OpenTelemetry's standard variables.
 *
 * @returns null when no endpoint is set or the SDK is disabled: then nothing is traced
 * @throws ConfigError as `loadEnvironment`
 */
export function readTracing(read: Reader): TracingSettings | null {
  const url = (value: string) => (value === '' ? '' : parseUrl('http:', 'https:')(value));
  const endpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT', '', url);
  const ofTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '', url);
  const isDisabled = read('OTEL_SDK_DISABLED', 'false', parseOneOf('true', 'false')) === 'true';
  const settings = {
    url: ofTraces || `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`,
    protocol: read('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/protobuf', parseOneOf(...PROTOCOLS)),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS', '', parseNameValues),
    serviceName: read('OTEL_SERVICE_NAME', 'parley', (value) => value),
    resourceAttributes: read('OTEL_RESOURCE_ATTRIBUTES', '', parseNameValues),
    sampler: read(
      'OTEL_TRACES_SAMPLER',
      'parentbased_always_on',
      parseOneOf(...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}`)),
    ),
    samplerRatio: read('OTEL_TRACES_SAMPLER_ARG', '1', parseRatio),
  };
  return isDisabled || (endpoint === '' && ofTraces === '') ? null : settings;
}
