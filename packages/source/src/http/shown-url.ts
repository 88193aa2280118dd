/** A URL for messages: without user and password, and without the query, which may contain a signature. */
export const shownUrl = (url: string): string => url.replace(/[?#].*$/su, '').replace(/^([a-z+]+:\/\/)[^/@]*@/iu, '$1');
