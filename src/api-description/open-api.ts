import type { OpenAPIObject } from '@nestjs/swagger';

/** A JSON Schema, of the 2020-12 dialect. */
export type Schema = { [keyword: string]: unknown };

// The parts of an OpenAPI 3.1 document that are completed here; Nest's own types are those of 3.0.

/** A body by its content type. */
export type Content = Record<string, { schema: Schema; example?: unknown; examples?: Record<string, object> }>;

/** One parameter of an operation. */
export interface ApiParameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

/** What an operation answers, by status. */
export type Responses = Record<string, { description: string; headers?: object; content?: Content }>;

/** One method of one path. */
export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: ApiParameter[];
  requestBody?: { description?: string; required?: boolean; content: Content };
  responses: Responses;
}

/** The document as it is served. */
export interface Description extends Omit<OpenAPIObject, 'paths' | 'components' | 'webhooks'> {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, { post: object }>;
  components: { schemas: Record<string, Schema>; responses?: Responses; headers?: object; securitySchemes?: object };
}
