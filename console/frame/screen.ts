import type { ComponentType } from 'preact';
import type { RouteParameters } from './route-match.js';

/** What a screen gets. */
export interface ScreenProps {
  readonly parameters: RouteParameters;
}

/** A module with a screen, which is loaded when somebody visits it. */
export interface ScreenModule {
  readonly Screen: ComponentType<ScreenProps>;
}
