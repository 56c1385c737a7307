import { networkStateOf } from '../review/template-state.js';
import type { NetworkTemplate } from '../sync/network-template.js';
import type { NewTemplate, Template } from '../template.entity.js';
import { type CallerKnowledge, describeTemplate } from './template-description.js';

/** Where a template belongs here. */
export interface TemplatePlace {
  readonly id: string;
  readonly wabaId: string;
  readonly businessPhoneId: string;
}

/** What is stored of a template: the network's word for everything but what only the caller knows. */
export function storedTemplate(found: NetworkTemplate, place: TemplatePlace, known: CallerKnowledge): NewTemplate {
  const { metaTemplateId, name, language, category, parameterFormat, components, messageSendTtlSeconds } = found;
  return {
    id: place.id,
    wabaId: place.wabaId,
    businessPhoneId: place.businessPhoneId,
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

/** A stored template as the network has it now. */
export const refreshedTemplate = (template: Template, found: NetworkTemplate): NewTemplate =>
  storedTemplate(found, template, {
    offerCode: template.offerCode,
    mediaUrl: template.mediaUrl,
    cardMediaUrls: template.carouselCards?.map(({ media_url }) => media_url) ?? [],
  });

/** Whether the network has a template as it is stored. */
export function isUnchanged(template: Template, found: NetworkTemplate): boolean {
  const { networkStatus, rejectionReason } = networkStateOf(found.networkStatus, found.rejectedReason);
  return (
    template.metaTemplateId === found.metaTemplateId &&
    template.category === found.category &&
    template.networkStatus === networkStatus &&
    template.rejectionReason === rejectionReason &&
    template.parameterFormat === found.parameterFormat &&
    template.messageSendTtlSeconds === found.messageSendTtlSeconds &&
    canonical(template.components) === canonical(found.components)
  );
}

/**
 * Components as comparable text: keys in order, since jsonb does not keep theirs, and without the handles of example
 * files, for which the network answers another address each time.
 */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (key, item: unknown) => {
    if (key === 'header_handle') return undefined;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
