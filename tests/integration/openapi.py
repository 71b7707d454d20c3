"""Whether requests and answers are what /openapi.json says of them."""

import json

import jsonschema

# What a program may act on; others come with every answer.
HEADERS = {"Accept-Encoding", "Allow", "Cache-Control", "ETag", "Retry-After",
           "WWW-Authenticate"}


class OpenApi:
    def __init__(self, document):
        self._document = document
        self._resolver = jsonschema.RefResolver.from_schema(document)

    def request_faults(self, path, request):
        """How the JSON text is not what POST takes at `path`."""
        body = self._document["paths"][path]["post"]["requestBody"]
        return self._misfits(body["content"], request)

    def reply_faults(self, verb, path, reply):
        told = self._told(verb, path, reply.code)
        if told is None:
            return [f"{reply.code} is not told"]
        headers = set(told.get("headers", ()))
        given = HEADERS & set(reply.headers)
        faults = [f"{name} is not told" for name in given - headers]
        faults += [f"{name} is missing" for name in headers - given
                   # The one that not every such answer has.
                   if (reply.code, name) != (504, "Retry-After")]
        if "content" not in told:
            return faults + ["a body"] * bool(reply.body)
        kind = reply.headers["Content-Type"]
        if kind not in told["content"]:
            return faults + [f"{kind} is not told"]
        lines = reply.body.splitlines() if "ndjson" in kind else [reply.body]
        for line in lines:
            faults += self._misfits(told["content"], line)
        return faults

    def _told(self, verb, path, code):
        responses = self._document["paths"][path][verb.lower()]["responses"]
        told = responses.get(str(code)) or responses.get(f"{code // 100}XX")
        if told and "$ref" in told:
            return self._resolver.resolve(told["$ref"])[1]
        return told

    def _misfits(self, content, text):
        (media,) = content.values()
        validator = jsonschema.Draft202012Validator(media["schema"],
                                                    resolver=self._resolver)
        return [error.message
                for error in validator.iter_errors(json.loads(text))]
