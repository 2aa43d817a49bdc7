"""The board in a browser and the JSON API, on one local server. Needs the extra `web` (Starlette, uvicorn)."""
