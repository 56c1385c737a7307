import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { describeApi } from './describe-api.js';

/** Serves the description at /openapi.json and a page to read it at /docs. */
export function serveApiDescription(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => describeApi(app) as unknown as OpenAPIObject, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'Parley API',
    // The page’s own name and logo give way to ours.
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { docExpansion: 'none', persistAuthorization: false },
  });
}
