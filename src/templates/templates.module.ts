import { Module } from '@nestjs/common';
import { ExampleMedia } from './authoring/example-media.js';
import { TemplateCreationService } from './authoring/template-creation.service.js';
import { TemplateCatalogService } from './rendering/template-catalog.service.js';
import { TemplateReviewService } from './review/template-review.service.js';
import { NetworkTemplates } from './sync/network-templates.js';
import { TemplateSyncService } from './sync/template-sync.service.js';
import { TemplatesController } from './templates.controller.js';
import { TemplatesService } from './templates.service.js';

/** Message templates: creation, review, synchronisation, and lookup for sends. */
@Module({
  controllers: [TemplatesController],
  providers: [
    NetworkTemplates,
    ExampleMedia,
    TemplateReviewService,
    TemplateCreationService,
    TemplateSyncService,
    TemplatesService,
    TemplateCatalogService,
  ],
  exports: [TemplateCatalogService, TemplateReviewService],
})
export class TemplatesModule {}
