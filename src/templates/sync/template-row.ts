import type { NewTemplate, Template } from '../template.entity.js';
import { networkStateOf } from '../template-state.js';
import type { NetworkTemplate } from './network-template.js';
import { type CallerFields, describeTemplate } from './template-description.js';

/** The columns of a template that belong to us, not to the network. */
export type TemplateOwner = Pick<NewTemplate, 'id' | 'wabaId' | 'businessPhoneId'>;

/** The row of a template. Everything comes from the network except what only the template's creator knows. */
export function storedTemplate(found: NetworkTemplate, owner: TemplateOwner, known: CallerFields): NewTemplate {
  const { metaTemplateId, name, language, category, parameterFormat, components, messageSendTtlSeconds } = found;
  return {
    id: owner.id,
    wabaId: owner.wabaId,
    businessPhoneId: owner.businessPhoneId,
    metaTemplateId,
    name,
    language,
    category,
    ...networkStateOf(found.networkStatus, found.rejectedReason),
    parameterFormat,
    components,
    messageSendTtlSeconds,
    ...describeTemplate(components, parameterFormat, known),
  };
}

/** The row of a stored template, updated to what the network has now. */
export const refreshedTemplate = (template: Template, found: NetworkTemplate): NewTemplate =>
  storedTemplate(found, template, {
    offerCode: template.offerCode,
    mediaUrl: template.mediaUrl,
    cardMediaUrls: template.carouselCards?.map(({ media_url }) => media_url) ?? [],
  });

/** Whether the stored template still matches the network's. */
export function isUnchanged(template: Template, found: NetworkTemplate): boolean {
  const { status, networkStatus, rejectionReason } = networkStateOf(found.networkStatus, found.rejectedReason);
  return (
    template.metaTemplateId === found.metaTemplateId &&
    template.category === found.category &&
    template.status === status &&
    template.networkStatus === networkStatus &&
    template.rejectionReason === rejectionReason &&
    template.parameterFormat === found.parameterFormat &&
    template.messageSendTtlSeconds === found.messageSendTtlSeconds &&
    canonical(template.components) === canonical(found.components)
  );
}

/**
 * Components as comparable text. Keys are sorted, because jsonb does not keep their order. Handles of example files are
 * left out, because the network returns a different URL for them each time.
 */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, item: unknown) => {
    if (key === 'header_handle') return undefined;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
