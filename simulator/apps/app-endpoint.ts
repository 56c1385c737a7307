import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { isText } from '../json-object.js';
import type { AppStore } from './app-store.js';
import { type Apps, hasExpired, MANAGEMENT } from './apps.js';

const MAX_OVERRIDE = 200;
const ok = (json: object): Answer => ({ status: 200, json });

/** The calls about apps and tokens: what a token is, what an app is subscribed to, and to whose accounts. */
export class AppEndpoint {
  constructor(
    private readonly apps: Apps,
    private readonly store: AppStore,
    private readonly hasAccount: (wabaId: string) => boolean,
  ) {}

  /** The answer to a call that has no object, or an app as its object; null for any other call. */
  answer([id = '', edge]: string[], exchange: Exchange, token: string | null): Answer | null {
    const { method, query } = exchange;
    if (method !== 'GET') return null;
    if (id === 'oauth' && edge === 'access_token') {
      const [code, appId, secret] = ['code', 'client_id', 'client_secret'].map((name) => query.get(name) ?? '');
      const access_token = this.apps.exchange(code ?? '', appId ?? '', secret ?? '');
      return ok({ access_token, token_type: 'bearer' });
    }
    if (id === 'debug_token' && edge === undefined) return this.debug(token, query.get('input_token'));
    if (edge !== 'subscriptions' || this.apps.app(id) === undefined) return null;
    if (this.apps.ofAppToken(token ?? '').app_id !== id) throw GraphError.unknownObject(id);
    const { callback_url, fields = [] } = this.apps.app(id) ?? {};
    if (callback_url === undefined) return ok({ data: [] });
    const ticked = fields.map((name) => ({ name, version: 'v24.0' }));
    return ok({ data: [{ object: 'whatsapp_business_account', callback_url, active: true, fields: ticked }] });
  }

  /** `subscribed_apps` of a business account, in the name of the token's app. */
  async subscribed(wabaId: string, exchange: Exchange, token: string): Promise<Answer> {
    const { method } = exchange;
    if (!this.hasAccount(wabaId)) throw GraphError.unknownObject(wabaId);
    this.apps.checkCall(token, wabaId, MANAGEMENT, wabaId);
    const { app_id } = this.apps.token(token);
    if (method === 'GET') {
      const data = this.store.subscriptionsOf(wabaId).map(({ app_id: id, override_callback_uri }) => ({
        whatsapp_business_api_data: { id, name: `App ${id}`, link: `https://www.facebook.com/games/?app_id=${id}` },
        ...(override_callback_uri === undefined ? {} : { override_callback_uri }),
      }));
      return ok({ data });
    }
    if (method === 'DELETE') {
      await this.store.unsubscribe(wabaId, app_id);
      return ok({ success: true });
    }
    if (method !== 'POST') throw GraphError.unknownObject(wabaId);
    const { override_callback_uri: override, verify_token } = exchange.body.length === 0 ? {} : exchange.graphJson();
    if (override !== undefined && (!isText(override) || override.length > MAX_OVERRIDE || !isText(verify_token))) {
      throw new GraphError(100, `override_callback_uri must be a URL of at most ${MAX_OVERRIDE}, with a verify_token`);
    }
    await this.store.subscribe({
      waba_id: wabaId,
      app_id,
      ...(isText(override) && { override_callback_uri: override }),
    });
    return ok({ success: true });
  }

  private debug(asking: string | null, token: string | null): Answer {
    this.apps.ofAppToken(asking ?? '');
    if (token === null) throw GraphError.missing('input_token');
    const { app_id, type, expires_at, scopes, wabas } = this.apps.token(token);
    const isOver = hasExpired(this.apps.token(token));
    const message = 'Error validating access token: Session has expired.';
    return ok({
      data: {
        app_id,
        type,
        application: `App ${app_id}`,
        is_valid: !isOver,
        expires_at,
        data_access_expires_at: 0,
        scopes,
        granular_scopes: scopes.map((scope) => ({ scope, ...(wabas === undefined ? {} : { target_ids: wabas }) })),
        ...(isOver ? { error: { code: 190, subcode: 463, message } } : {}),
      },
    });
  }
}
