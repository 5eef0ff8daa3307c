/**
 * The table of all operations that need the management key. If two paths match a call, the first one in the table wins;
 * fixed names are therefore listed before `{name}`.
 */
import { addApi, addApiAt } from './apis/add-api.ts'
import { deleteApi } from './apis/delete-api.ts'
import { getApi } from './apis/get-api.ts'
import { listApis } from './apis/list-apis.ts'
import { listApiVersions, listDocumentVersions } from './apis/list-versions.ts'
import { updateApi } from './apis/update-api.ts'
import { forgetAllKeySets, forgetKeySets } from './cache/forget-key-sets.ts'
import { invalidateCache } from './cache/invalidate-cache.ts'
import { addCertificate } from './certs/add-certificate.ts'
import { deleteCertificate } from './certs/delete-certificate.ts'
import { getCertificates } from './certs/get-certificates.ts'
import { listCertificates } from './certs/list-certificates.ts'
import { debugDefinition } from './debug/debug-definition.ts'
import { explainRequest } from './debug/explain.ts'
import { inspectConfig, inspectEnvironment } from './debug/inspect-config.ts'
import { getDocsPage } from './docs/get-docs-page.ts'
import { getOpenApi } from './docs/get-openapi.ts'
import { getHealth } from './health/get-health.ts'
import { changePolicies } from './keys/change-policies.ts'
import { createKey } from './keys/create-key.ts'
import { deleteKey, deleteNoKey } from './keys/delete-key.ts'
import { getKey } from './keys/get-key.ts'
import { listKeys } from './keys/list-keys.ts'
import { previewKey } from './keys/preview-key.ts'
import { putCustomKey, putRandomKey } from './keys/put-key.ts'
import { replaceKey, replaceNoKey } from './keys/replace-key.ts'
import { addMcp } from './mcps/add-mcp.ts'
import { deleteMcp } from './mcps/delete-mcp.ts'
import { getMcp, listMcps } from './mcps/read-mcps.ts'
import { updateMcp } from './mcps/update-mcp.ts'
import { addDocument } from './oas/add-document.ts'
import { deleteDocument } from './oas/delete-document.ts'
import { exportDocument, exportDocuments } from './oas/export-documents.ts'
import { getSchema } from './oas/get-schema.ts'
import { importDocument } from './oas/import-document.ts'
import { patchDocument } from './oas/patch-document.ts'
import { getDocument, listDocuments } from './oas/read-documents.ts'
import { updateDocument } from './oas/update-document.ts'
import { createClient } from './oauth/operations/create-client.ts'
import { deleteClient } from './oauth/operations/delete-client.ts'
import { listTokens } from './oauth/operations/list-tokens.ts'
import { purgeTokens } from './oauth/operations/purge-tokens.ts'
import { getClient, listApisOfClient, listClients } from './oauth/operations/read-clients.ts'
import { deleteRefreshToken, revokeAllTokens, revokeToken } from './oauth/operations/revoke-tokens.ts'
import { rotateSecret, updateClient } from './oauth/operations/update-client.ts'
import type { Operation } from './operation.ts'
import { deleteOrg } from './org-keys/delete-org.ts'
import { getOrg } from './org-keys/get-org.ts'
import { listOrgs } from './org-keys/list-orgs.ts'
import { addOrg, updateOrg } from './org-keys/put-org.ts'
import { deleteNoPolicy, deletePolicy } from './policies/delete-policy.ts'
import { getPolicy } from './policies/get-policy.ts'
import { listPolicies } from './policies/list-policies.ts'
import { addNamedPolicy, addPolicy, updateNoPolicy, updatePolicy } from './policies/write-policy.ts'
import { listNodes } from './reload/list-nodes.ts'
import { reloadGroup } from './reload/reload-group.ts'
import { reloadNode } from './reload/reload-node.ts'
import { getReloadReport } from './reload/reload-report.ts'

export const operations: readonly Operation[] = [
  createKey,
  previewKey,
  changePolicies,
  listKeys,
  putRandomKey,
  getKey,
  putCustomKey,
  replaceKey,
  replaceNoKey,
  deleteKey,
  deleteNoKey,

  listOrgs,
  getOrg,
  addOrg,
  updateOrg,
  deleteOrg,

  listPolicies,
  addPolicy,
  updateNoPolicy,
  deleteNoPolicy,
  getPolicy,
  addNamedPolicy,
  updatePolicy,
  deletePolicy,

  listDocuments,
  addDocument,
  importDocument,
  exportDocuments,
  getDocument,
  updateDocument,
  patchDocument,
  deleteDocument,
  exportDocument,
  listDocumentVersions,
  getSchema,

  listMcps,
  addMcp,
  getMcp,
  updateMcp,
  deleteMcp,

  listApis,
  addApi,
  getApi,
  addApiAt,
  updateApi,
  deleteApi,
  listApiVersions,

  listCertificates,
  addCertificate,
  getCertificates,
  deleteCertificate,

  createClient,
  listApisOfClient,
  listClients,
  getClient,
  updateClient,
  deleteClient,
  rotateSecret,
  listTokens,
  deleteRefreshToken,
  revokeToken,
  revokeAllTokens,
  purgeTokens,

  forgetAllKeySets,
  forgetKeySets,
  invalidateCache,

  reloadNode,
  reloadGroup,
  listNodes,
  getReloadReport,

  getHealth,

  explainRequest,
  debugDefinition,
  inspectConfig,
  inspectEnvironment,

  getDocsPage,
  getOpenApi,
]
