export const pem = (type: string, content: ArrayBuffer): string =>
  `-----BEGIN ${type}-----\n${Buffer.from(content)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n')}-----END ${type}-----\n`;
