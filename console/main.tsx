import { render } from 'preact';
import { startLive } from './data/live.js';
import { applyPreferences } from './data/preferences.js';
import { App } from './frame/app.js';
import { startPlaces } from './frame/last-place.js';
import { startTitle } from './frame/page-title.js';
import { startRouter } from './frame/router.js';
import { NAVIGATION } from './frame/screens.js';
import { Sprite } from './parts/icon.js';
import { takeLink } from './screens/welcome/link.js';

// First of all, so that the address keeps no secret.
takeLink();
applyPreferences();
startRouter();
startLive();
startTitle();
startPlaces(NAVIGATION);

const place = document.getElementById('app');
if (place !== null) {
  place.replaceChildren();
  render(
    <>
      <Sprite />
      <App />
    </>,
    place,
  );
}
