import { randomBytes } from 'node:crypto';
import { SECOND } from '../../src/values/clock.js';
import { type Destination, isNowhere } from '../callbacks/callback-sender.js';
import type { Behaviour } from '../control/behaviour.js';
import { ControlError } from '../control/control-error.js';
import { GraphError } from '../graph-error.js';
import { isText, type JsonObject } from '../json-object.js';
import type { AppStore, SimulatedApp, SimulatedToken } from './app-store.js';

/** The fields that are ticked for an app unless its declaration names others. */
const USUAL_FIELDS = [
  'messages',
  'message_template_status_update',
  'template_category_update',
  'message_template_quality_update',
  'message_template_components_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'business_capability_update',
  'phone_number_quality_update',
  'phone_number_name_update',
  'user_preferences',
  'smb_message_echoes',
  'smb_app_state_sync',
  'history',
];
/** Only these may go to a URL that replaces the app's own. */
const OVERRIDABLE =
  /^(?:messages|calls|history|smb_.*|group_.*|message_echoes|messaging_handovers|consumer_profile|account_settings_update)$/;
export const MESSAGING = 'whatsapp_business_messaging';
export const MANAGEMENT = 'whatsapp_business_management';
/** A code of Embedded Signup lives this long, in ms. */
const CODE_LIFE = 30 * SECOND;
const TOKEN_TYPES = ['SYSTEM_USER', 'USER', 'PAGE', 'APP'];

/** The app that the simulator was started with. */
interface DefaultApp {
  app_id: string;
  secret: string;
  callbackUrl: () => string | undefined;
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** The apps of Meta's dashboard and their access tokens: what a token may do, and who gets a callback. */
export class Apps {
  private readonly codes = new Map<string, { token: string; app_id: string; until: number }>();

  constructor(
    private readonly store: AppStore,
    private readonly behaviour: Behaviour,
    private readonly first: DefaultApp,
  ) {}

  app(id: string): SimulatedApp | undefined {
    const declared = this.store.app(id);
    if (id !== this.first.app_id) return declared;
    const { app_id, secret, callbackUrl } = this.first;
    const callback_url = declared?.callback_url ?? callbackUrl();
    return { app_id, secret, ...(callback_url && { callback_url }), fields: declared?.fields ?? USUAL_FIELDS };
  }

  /** What a token is; one that was not declared belongs to the first app and may do everything. */
  token(token: string): SimulatedToken {
    return (
      this.store.token(token) ?? {
        token,
        app_id: this.first.app_id,
        type: 'SYSTEM_USER',
        expires_at: token === 'expired' ? 1 : 0,
        scopes: [MANAGEMENT, MESSAGING, 'business_management'],
      }
    );
  }

  /** @throws GraphError for a token that has expired, or that lacks the right or the access that a call needs */
  checkCall(token: string, wabaId: string, scope: string, objectId: string): void {
    this.checkAlive(token);
    const { scopes, wabas } = this.token(token);
    if (wabas !== undefined && !wabas.includes(wabaId)) throw GraphError.unknownObject(objectId);
    if (!scopes.includes(scope)) throw new GraphError(200, `The token lacks the permission ${scope}`);
  }

  /** @throws GraphError 190 for a token that has expired */
  checkAlive(token: string): void {
    if (!hasExpired(this.token(token))) return;
    const message = 'Error validating access token: Session has expired.';
    throw new GraphError(190, message, { message, subcode: 463 });
  }

  /** The app of an app token, `app_id|secret`. @throws GraphError 190 */
  ofAppToken(token: string): SimulatedApp {
    const [id = '', secret = ''] = token.split('|');
    const app = this.app(id);
    if (app === undefined || app.secret !== secret) {
      throw new GraphError(190, 'Invalid OAuth access token signature.', {
        message: 'Invalid OAuth access token signature.',
      });
    }
    return app;
  }

  /** Exchanges a code for its token, once. @throws GraphError 100 */
  exchange(code: string, appId: string, secret: string): string {
    this.ofAppToken(`${appId}|${secret}`);
    const issued = this.codes.get(code);
    this.codes.delete(code);
    if (issued === undefined || issued.until < Date.now() || issued.app_id !== appId) {
      throw new GraphError(100, 'This authorization code has been used or has expired.', { subcode: 36009 });
    }
    return issued.token;
  }

  /**
   * Where a callback goes: to every subscribed app whose field is ticked. Unless `strict_subscription` is on, an account
   * that only the first app serves needs no subscription.
   */
  destinations(wabaId: string, field: string): Destination[] {
    const subscribed = this.store.subscriptionsOf(wabaId);
    const { strict_subscription } = this.behaviour.settings;
    if (!strict_subscription && subscribed.every(({ app_id }) => app_id === this.first.app_id)) return [null];
    return subscribed.flatMap(({ app_id, override_callback_uri }): Destination[] => {
      const app = this.app(app_id);
      if (app === undefined || !app.fields.includes(field)) return [];
      const url = (OVERRIDABLE.test(field) ? override_callback_uri : undefined) ?? app.callback_url;
      return url === undefined || isNowhere(url) ? [] : [{ url, secret: app.secret }];
    });
  }

  /** Whether it matters who is subscribed. */
  get isRouted(): boolean {
    return this.behaviour.settings.strict_subscription || this.store.hasSubscriptions;
  }

  /** `POST /_sim/apps`. */
  async declareApp({ app_id, secret, callback_url, fields }: JsonObject): Promise<object> {
    if (!isText(app_id)) throw new ControlError('app_id is required');
    const known = this.app(app_id);
    const app = {
      app_id,
      secret: secret ?? known?.secret,
      ...((callback_url ?? known?.callback_url) && { callback_url: callback_url ?? known?.callback_url }),
      fields: fields ?? known?.fields ?? USUAL_FIELDS,
    };
    if (!isText(app.secret)) throw new ControlError('secret is required');
    if (app_id === this.first.app_id && app.secret !== this.first.secret)
      throw new ControlError('the secret of the first app cannot be changed');
    if (app.callback_url !== undefined && (!isText(app.callback_url) || !URL.canParse(app.callback_url)))
      throw new ControlError('callback_url must be a URL');
    if (!isTexts(app.fields)) throw new ControlError('fields must be an array of strings');
    await this.store.declareApp(app as SimulatedApp);
    return app;
  }

  /** `POST /_sim/tokens`: declares a token, and issues a code that can be exchanged for it. */
  async declareToken(input: JsonObject): Promise<object> {
    const { token, app_id = this.first.app_id, type = 'SYSTEM_USER', expires_at = 0, wabas } = input;
    const { scopes = [MANAGEMENT, MESSAGING] } = input;
    if (!isText(token)) throw new ControlError('token is required');
    if (!isText(app_id)) throw new ControlError('app_id must be a string');
    if (!TOKEN_TYPES.includes(type as string)) throw new ControlError(`type must be one of ${TOKEN_TYPES.join(', ')}`);
    if (!Number.isSafeInteger(expires_at)) throw new ControlError('expires_at must be unix seconds, 0 for never');
    if (!isTexts(scopes)) throw new ControlError('scopes must be an array of strings');
    if (wabas !== undefined && !isTexts(wabas)) throw new ControlError('wabas must be an array of strings');
    const declared = { token, app_id, type, expires_at, scopes, ...(wabas && { wabas }) } as SimulatedToken;
    await this.store.declareToken(declared);
    const code = `AQ${randomBytes(12).toString('hex')}`;
    this.codes.set(code, { token, app_id, until: Date.now() + CODE_LIFE });
    return { ...declared, code };
  }
}

/** Whether the time of a token is over. */
export const hasExpired = ({ expires_at }: SimulatedToken): boolean =>
  expires_at !== 0 && expires_at * SECOND <= Date.now();
