import type { ComponentChildren } from 'preact';
import { path, searchWith } from '../../frame/router.js';
import { type Changes, choosing } from './people-filter.js';

/** The id of the heading of the list. */
export const PEOPLE = 'people';

/** Where the page shows the people behind a figure, which counts those that a search does not find, too. */
export const peopleHref = (choice: Changes): string => path.value + searchWith(choosing({ search: null, ...choice }));
/** The same among those that the search finds. */
export const foundHref = (choice: Changes): string => path.value + searchWith(choosing(choice));

/** Shows the list once the page has followed a link to it. */
export const showPeople = (): void => {
  setTimeout(() => {
    const heading = document.getElementById(PEOPLE);
    heading?.scrollIntoView({ block: 'nearest' });
    heading?.focus();
  });
};

interface PeopleLinkProps {
  readonly choice: Changes;
  readonly class: string;
  /** Its name where its text alone is ambiguous; contains the text. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** A link from a figure to the rows behind it. */
export function PeopleLink({ choice, class: name, name: label, children }: PeopleLinkProps) {
  return (
    <a class={name} href={peopleHref(choice)} aria-label={label} onClick={showPeople}>
      {children}
    </a>
  );
}
