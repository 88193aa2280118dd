/** A link may name where to go afterwards, but only on this server. */
export const localPath = (to: string | undefined): string => (to !== undefined && /^\/(?![/\\])/u.test(to) ? to : '/');
