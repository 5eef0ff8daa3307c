/** The names of this folder that other packages import, as `@turnpike/core/auth`. */
export { fingerprintOfCertificate, isCertificateId } from './certificates/certificate-names.ts'
export { type CertificateStore, makeCertificateStore } from './certificates/certificate-store.ts'
export { type CertificateUse, type ExpiryWatch, makeExpiryWatch } from './certificates/expiry-watch.ts'
export type { StoredCertificate } from './certificates/stored-certificate.ts'
export { unboundKeySet } from './jwt/claim-settings.ts'
