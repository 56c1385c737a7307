import { Room } from '../manifest/room.js';
import { ExampleMedia } from './authoring/example-media.js';
import { TemplateCreationService } from './authoring/template-creation.service.js';
import { TemplateLook } from './looks/template-look.entity.js';
import { TemplateLookSweep } from './looks/template-look.sweep.js';
import { TemplateUsesService } from './looks/template-uses.service.js';
import { TemplateCatalogService } from './rendering/template-catalog.service.js';
import { TemplateReview } from './review/template-review.entity.js';
import { TemplateReviewService } from './review/template-review.service.js';
import { NetworkTemplates } from './sync/network-templates.js';
import { TemplateRefreshService } from './sync/template-refresh.service.js';
import { TemplateSyncService } from './sync/template-sync.service.js';
import { Template } from './template.entity.js';
import { TemplatesController } from './templates.controller.js';
import { TEMPLATES_EXAMPLES } from './templates.examples.js';
import { TemplatesService } from './templates.service.js';

/** Message templates: creation, review, synchronisation, and lookup for sends. */
@Room({
  areas: ['templates'],
  tags: [['templates', 'Message templates and their review by the network']],
  examples: TEMPLATES_EXAMPLES,
  entities: [TemplateLook, TemplateReview, Template],
  kept: { template_looks: '7 days after the last use of the template, or 2 days after a change or a doubtful notice' },
  controllers: [TemplatesController],
  providers: [
    NetworkTemplates,
    ExampleMedia,
    TemplateRefreshService,
    TemplateReviewService,
    TemplateCreationService,
    TemplateSyncService,
    TemplatesService,
    TemplateCatalogService,
    TemplateUsesService,
  ],
  worker: [TemplateLookSweep],
  exports: [TemplateCatalogService, TemplateRefreshService, TemplateReviewService, TemplateUsesService],
})
export class TemplatesModule {}
